-- A person's own rules: what is never to be kept.

-- name: add_never_rule
INSERT INTO never_rules (tenant, name, form, value, added_at, added_by)
VALUES (:tenant, :name, :form, :value, :added_at, :added_by)
ON CONFLICT (tenant, name) DO NOTHING;

-- name: never_rules
SELECT name, form, value, added_at, added_by FROM never_rules WHERE tenant = :tenant ORDER BY name;

-- name: remove_never_rule
DELETE FROM never_rules WHERE tenant = :tenant AND name = :name;
