-- Queries over facts and their states. All times are integer microseconds.

-- name: add_fact
INSERT INTO agent_facts (
  tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by, terms
) VALUES (
  :tenant, :id, :subject, :fact, :kind, :attribute, :value, :polarity, :tags, :source_run, :source_step, :origin, :source_ref,
  :quote, :derived_from, :trust, :confidence, :created_at, :observed_at, :digest, :durable_reason, :status, :expires_at,
  :superseded_by, :superseded_at, :retired_at, :retired_why, :approved_by, :approved_at, :pinned_by, :terms
);

-- name: set_state
UPDATE agent_facts SET
  status = :status, expires_at = :expires_at, superseded_by = :superseded_by, superseded_at = :superseded_at,
  retired_at = :retired_at, retired_why = :retired_why, approved_by = :approved_by, approved_at = :approved_at,
  pinned_by = :pinned_by
WHERE tenant = :tenant AND id = :fact_id;

-- name: add_state
INSERT INTO fact_states (
  tenant, fact_id, n, operation, changed_at, status, expires_at, superseded_by, superseded_at, retired_at,
  retired_why, approved_by, approved_at, pinned_by
) VALUES (
  :tenant, :fact_id, :n, :operation, :changed_at, :status, :expires_at, :superseded_by, :superseded_at, :retired_at,
  :retired_why, :approved_by, :approved_at, :pinned_by
);

-- name: state
SELECT status, expires_at, superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND id = :id;

-- name: state_as_of
SELECT status, expires_at, superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM fact_states WHERE tenant = :tenant AND fact_id = :fact_id AND changed_at <= :now ORDER BY n DESC LIMIT 1;

-- name: standing
-- What a derived fact asks of its sources, and a correction of what it corrects.
SELECT trust, status, subject FROM agent_facts WHERE tenant = :tenant AND id = :id;

-- name: states_of_operation
SELECT fact_id, n FROM fact_states WHERE tenant = :tenant AND operation = :operation ORDER BY fact_id;

-- name: last_states
-- The newest two states of a fact: undo restores the older one if the newer is the operation's.
SELECT n, operation, status, expires_at, superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM fact_states WHERE tenant = :tenant AND fact_id = :fact_id ORDER BY n DESC LIMIT 2;

-- name: same_statement
-- Rows that say the same of the same subject, whatever their state, newest first.
SELECT id, status, trust, expires_at, created_at, observed_at
FROM agent_facts WHERE tenant = :tenant AND subject = :subject AND digest = :digest ORDER BY created_at DESC, id DESC;

-- name: sighting
-- The fact that a step's statement became or confirmed, with its present state.
SELECT f.id, f.status FROM sightings AS s
JOIN agent_facts AS f ON f.tenant = s.tenant AND f.id = s.fact_id
WHERE s.tenant = :tenant AND s.run = :run AND s.step = :step AND s.digest = :digest;

-- name: add_sighting
INSERT INTO sightings (tenant, run, step, digest, fact_id) VALUES (:tenant, :run, :step, :digest, :fact_id)
ON CONFLICT (tenant, run, step, digest) DO NOTHING;

-- name: erase_sightings
DELETE FROM sightings WHERE tenant = :tenant AND fact_id = :fact_id;

-- name: same_key
-- Live rows of one attribute, newest said first.
SELECT f.id, f.value, f.polarity, f.trust, f.observed_at, f.expires_at, f.fact, f.terms,
  (SELECT max(s.changed_at) FROM fact_states AS s
   JOIN operations AS o ON o.tenant = s.tenant AND o.id = s.operation
   WHERE s.tenant = f.tenant AND s.fact_id = f.id AND o.verb = 'confirm')
FROM agent_facts AS f
WHERE f.tenant = :tenant AND f.subject = :subject AND f.attribute = :attribute AND f.status = 'live'
ORDER BY f.observed_at DESC, f.created_at DESC, f.id DESC;

-- name: overtaken
-- Values of an attribute that were said after a moment and hold no more.
SELECT id, value, polarity, trust, observed_at, expires_at, fact, terms
FROM agent_facts
WHERE tenant = :tenant AND subject = :subject AND attribute = :attribute AND status = 'superseded' AND polarity = 1
  AND observed_at > :said AND (expires_at IS NULL OR expires_at > :now)
ORDER BY observed_at DESC, created_at DESC, id DESC;

-- name: newest
-- What a statement without a key is compared with.
SELECT id, fact, attribute, value, polarity, trust, terms
FROM agent_facts
WHERE tenant = :tenant AND subject = :subject AND status = 'live' AND (expires_at IS NULL OR expires_at > :now)
ORDER BY created_at DESC, id DESC LIMIT :most;

-- name: count_of_run
SELECT count(*) FROM agent_facts WHERE tenant = :tenant AND source_run = :run;

-- name: count_of_source
SELECT count(*) FROM agent_facts
WHERE tenant = :tenant AND subject = :subject AND status IN ('live', 'pending') AND source_ref = :source;

-- name: count_pending
SELECT count(*) FROM agent_facts
WHERE tenant = :tenant AND subject = :subject AND status = 'pending' AND created_at > :since;

-- name: live_facts
-- What recall scores: the rows of a subject that may be read. Those whose time has passed are left out at reading.
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step,
  origin, source_ref, quote, derived_from, trust, confidence, created_at, observed_at, digest,
  durable_reason, status, expires_at, superseded_by, superseded_at, retired_at, retired_why, approved_by,
  approved_at, pinned_by, terms
FROM agent_facts WHERE tenant = :tenant AND subject = :subject AND status = 'live';

-- name: live_some
-- Whether a subject has more live rows than are looked at whole: counted up to that.
SELECT count(*) FROM (
  SELECT 1 FROM agent_facts WHERE tenant = :tenant AND subject = :subject AND status = 'live' LIMIT :most) AS found;

-- name: candidates_any
-- The same rows in whatever state: what an erasure by query may mean.
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step,
  origin, source_ref, quote, derived_from, trust, confidence, created_at, observed_at, digest,
  durable_reason, status, expires_at, superseded_by, superseded_at, retired_at, retired_why, approved_by,
  approved_at, pinned_by, terms
FROM agent_facts WHERE tenant = :tenant AND subject = :subject;

-- name: candidates_as_of
-- What recall would have scored at a moment: rows that were live by the state each had then, with the expiry of then. As
-- with `live_facts`, those whose time had passed are left out at reading: they too count in how rare a word is.
SELECT f.tenant, f.id, f.subject, f.fact, f.kind, f.attribute, f.value, f.polarity, f.tags, f.source_run, f.source_step,
  f.origin, f.source_ref, f.quote, f.derived_from, f.trust, f.confidence, f.created_at, f.observed_at, f.digest,
  f.durable_reason, f.status, s.expires_at, f.superseded_by, f.superseded_at, f.retired_at, f.retired_why, f.approved_by,
  f.approved_at, f.pinned_by, f.terms
FROM agent_facts AS f
JOIN fact_states AS s ON s.tenant = f.tenant AND s.fact_id = f.id
WHERE f.tenant = :tenant AND f.subject = :subject AND f.created_at <= :now
  AND s.n = (SELECT max(x.n) FROM fact_states AS x
             WHERE x.tenant = f.tenant AND x.fact_id = f.id AND x.changed_at <= :now)
  AND s.status = 'live';

-- name: fact
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND id = :id;

-- name: facts_of_tenant
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant ORDER BY created_at DESC, id DESC;

-- name: facts_of_subject
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND subject = :subject ORDER BY created_at DESC, id DESC;

-- name: pending_facts
-- What waits for a person, of everybody.
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND status = 'pending' ORDER BY created_at DESC, id DESC;

-- name: pending_facts_of_subject
-- What waits for a person, of one subject, whatever else is known of it.
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND subject = :subject AND status = 'pending' ORDER BY created_at DESC, id DESC;

-- name: facts_of_run
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant AND source_run = :run ORDER BY created_at DESC, id DESC;

-- name: facts_by_marks
-- A cohort by marks that no index leads to; a mark that is NULL fits every row.
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts WHERE tenant = :tenant
  AND (CAST(:source AS text) IS NULL OR source_ref = CAST(:source AS text))
  AND (CAST(:origin AS text) IS NULL OR origin = CAST(:origin AS text))
  AND (CAST(:kind AS text) IS NULL OR kind = CAST(:kind AS text))
  AND (CAST(:attribute AS text) IS NULL OR attribute = CAST(:attribute AS text))
  AND (CAST(:since AS bigint) IS NULL OR created_at >= CAST(:since AS bigint))
  AND (CAST(:until AS bigint) IS NULL OR created_at < CAST(:until AS bigint))
ORDER BY created_at DESC, id DESC;

-- name: believed
-- The newest keyed facts of a subject that hold: what a correction or an end in the next words may be about.
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts
WHERE tenant = :tenant AND subject = :subject AND status = 'live' AND attribute IS NOT NULL
  AND (expires_at IS NULL OR expires_at > :now)
ORDER BY observed_at DESC, created_at DESC, id DESC LIMIT :most;

-- name: standing_facts
-- What may always be before the model: approved procedures, what a person pinned, and identity and preferences that
-- have the trust of the user. Those that a person decided on are never beyond the limit for the others' sake.
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts
WHERE tenant = :tenant AND subject = :subject AND status = 'live' AND (expires_at IS NULL OR expires_at > :now)
  AND ((kind = 'procedure' AND approved_by IS NOT NULL) OR pinned_by IS NOT NULL
       OR (kind IN ('identity', 'preference') AND trust >= :least))
ORDER BY CASE WHEN pinned_by IS NOT NULL OR kind = 'procedure' THEN 0 ELSE 1 END, observed_at DESC, created_at DESC, id DESC
LIMIT :most;

-- name: standing_as_of
-- The same as it was at a moment: by the state each row had then.
SELECT f.tenant, f.id, f.subject, f.fact, f.kind, f.attribute, f.value, f.polarity, f.tags, f.source_run, f.source_step, f.origin, f.source_ref,
  f.quote, f.derived_from, f.trust, f.confidence, f.created_at, f.observed_at, f.digest, f.durable_reason, s.status, s.expires_at,
  s.superseded_by, s.superseded_at, s.retired_at, s.retired_why, s.approved_by, s.approved_at, s.pinned_by
FROM agent_facts AS f
JOIN fact_states AS s ON s.tenant = f.tenant AND s.fact_id = f.id
WHERE f.tenant = :tenant AND f.subject = :subject AND f.created_at <= :now
  AND s.n = (SELECT max(x.n) FROM fact_states AS x
             WHERE x.tenant = f.tenant AND x.fact_id = f.id AND x.changed_at <= :now)
  AND s.status = 'live' AND (s.expires_at IS NULL OR s.expires_at > :now)
  AND ((f.kind = 'procedure' AND s.approved_by IS NOT NULL) OR s.pinned_by IS NOT NULL
       OR (f.kind IN ('identity', 'preference') AND f.trust >= :least))
ORDER BY CASE WHEN s.pinned_by IS NOT NULL OR f.kind = 'procedure' THEN 0 ELSE 1 END, f.observed_at DESC, f.created_at DESC, f.id DESC
LIMIT :most;

-- name: derivations
-- Every derived fact with the list of its sources: the edges of the graph that roll-back and erase follow.
SELECT id, derived_from FROM agent_facts WHERE tenant = :tenant AND derived_from <> '[]';

-- name: predecessors
SELECT id FROM agent_facts WHERE tenant = :tenant AND superseded_by = :id ORDER BY created_at;

-- name: fact_changes
SELECT s.operation, o.verb, o.actor, o.why, s.changed_at, s.status
FROM fact_states AS s JOIN operations AS o ON o.tenant = s.tenant AND o.id = s.operation
WHERE s.tenant = :tenant AND s.fact_id = :id ORDER BY s.n;

-- name: first_reason
-- Why a fact was held, as the operation that added it says.
SELECT o.why FROM fact_states AS s JOIN operations AS o ON o.tenant = s.tenant AND o.id = s.operation
WHERE s.tenant = :tenant AND s.fact_id = :id ORDER BY s.n LIMIT 1;

-- name: subject_counts
-- Who has facts, of whatever state. Other places take turns by names of their own among the change numbers.
SELECT s.subject, count(f.id) FROM subjects AS s
LEFT JOIN agent_facts AS f ON f.tenant = s.tenant AND f.subject = s.subject AND f.status = 'live'
  AND (f.expires_at IS NULL OR f.expires_at > :now)
WHERE s.tenant = :tenant
  AND EXISTS (SELECT 1 FROM agent_facts AS x WHERE x.tenant = s.tenant AND x.subject = s.subject)
GROUP BY s.subject ORDER BY s.subject;

-- name: status_counts
SELECT status, count(*) FROM agent_facts WHERE tenant = :tenant GROUP BY status ORDER BY status;

-- name: bad_habits
-- For doctor: live facts that never expire without a reason, and pending ones older than a moment.
SELECT
  coalesce(sum(CASE WHEN status = 'live' AND expires_at IS NULL AND durable_reason IS NULL THEN 1 ELSE 0 END), 0),
  coalesce(sum(CASE WHEN status = 'live' AND expires_at IS NULL THEN 1 ELSE 0 END), 0),
  coalesce(sum(CASE WHEN status = 'pending' AND created_at < :before THEN 1 ELSE 0 END), 0)
FROM agent_facts WHERE tenant = :tenant;

-- name: lapsed_pending
SELECT id, subject FROM agent_facts
WHERE tenant = :tenant AND status = 'pending' AND created_at <= :before ORDER BY subject, id;

-- name: dead_facts
-- What is kept for the trace alone, since a moment.
SELECT id, subject FROM agent_facts
WHERE tenant = :tenant AND (
  (status IN ('live', 'pending') AND expires_at <= :before)
  OR (status = 'superseded' AND superseded_at <= :before)
  OR (status IN ('retired', 'rejected') AND retired_at <= :before))
ORDER BY id;

-- name: old_episodes
-- Episodes that were believed, over or not, oldest first: what a summary may cite.
SELECT tenant, id, subject, fact, kind, attribute, value, polarity, tags, source_run, source_step, origin, source_ref,
  quote, derived_from, trust, confidence, created_at, observed_at, digest, durable_reason, status, expires_at,
  superseded_by, superseded_at, retired_at, retired_why, approved_by, approved_at, pinned_by
FROM agent_facts
WHERE tenant = :tenant AND kind = 'episode' AND status = 'live' AND created_at <= :before
ORDER BY observed_at, created_at, id;

-- name: terms_after
SELECT id, subject, fact, tags, attribute, value, terms FROM agent_facts
WHERE tenant = :tenant AND id > :after ORDER BY id LIMIT :most;

-- name: set_terms
-- Only when the analyser has changed; the text stays.
UPDATE agent_facts SET terms = :terms WHERE tenant = :tenant AND id = :id;

-- name: twins
-- Other rows of the same subject that say the same, whatever their state: erasure takes them too.
SELECT o.id FROM agent_facts AS f
JOIN agent_facts AS o ON o.tenant = f.tenant AND o.subject = f.subject AND o.digest = f.digest AND o.id <> f.id
WHERE f.tenant = :tenant AND f.id = :id ORDER BY o.id;

-- name: quotes_of_subject
SELECT id, quote FROM agent_facts WHERE tenant = :tenant AND subject = :subject AND quote IS NOT NULL ORDER BY id;

-- name: quotes_of_run
SELECT id, quote FROM agent_facts WHERE tenant = :tenant AND source_run = :run AND quote IS NOT NULL ORDER BY id;

-- name: texts_of_subject
SELECT id, fact FROM agent_facts WHERE tenant = :tenant AND subject = :subject ORDER BY id;

-- name: wordings_of_facts
SELECT id, fact, quote FROM agent_facts WHERE tenant = :tenant ORDER BY id;

-- name: rewrite_quote
-- Only erasure rewrites a quote: two facts may have been taken from one sentence.
UPDATE agent_facts SET quote = :quote WHERE tenant = :tenant AND id = :id;

-- name: rewrite_retired_why
-- A reason stands with the operation and with each fact that it retired.
UPDATE agent_facts SET retired_why = :without
WHERE tenant = :tenant AND retired_why = :why
  AND id IN (SELECT s.fact_id FROM fact_states AS s WHERE s.tenant = :tenant AND s.operation = :operation);

-- name: rewrite_retired_why_states
UPDATE fact_states SET retired_why = :without
WHERE tenant = :tenant AND retired_why = :why
  AND fact_id IN (SELECT s.fact_id FROM fact_states AS s WHERE s.tenant = :tenant AND s.operation = :operation);

-- name: erase_fact
DELETE FROM agent_facts WHERE tenant = :tenant AND id = :id;

-- name: erase_fact_states
DELETE FROM fact_states WHERE tenant = :tenant AND fact_id = :fact_id;

-- name: unlink_superseded
-- A pointer to an erased fact would keep its id alive in another row.
UPDATE agent_facts SET superseded_by = NULL WHERE tenant = :tenant AND superseded_by = :id;

-- name: unlink_superseded_states
UPDATE fact_states SET superseded_by = NULL WHERE tenant = :tenant AND superseded_by = :id;

-- name: add_tombstone
INSERT INTO tombstones (tenant, id, erased_at) VALUES (:tenant, :id, :erased_at)
ON CONFLICT (tenant, id) DO NOTHING;
