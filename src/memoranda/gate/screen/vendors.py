"""Keys that a vendor gave a form of their own: prefix, alphabet and length as the vendor documents them.

Lengths are kept a little wider than documented, because vendors lengthen their keys. `source` names the page.
"""

from __future__ import annotations

from memoranda.gate.screen.rule import Rule, key
from memoranda.gate.screen.values import decodes_to_json, looks_random, varied

A = "[A-Za-z0-9]"
B = "[A-Za-z0-9_-]"
HEX = "[0-9a-f]"
UUID = r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"

CLOUD: tuple[Rule, ...] = (
    key("aws-access-key", r"(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])",
        "AKIA", "ASIA", "AROA", "AIDA", "AGPA", "ANPA", "ANVA", "ABIA", "ACCA", "A3T",
        holds=varied, source="AWS IAM: unique identifier prefixes"),
    key("aws-bedrock-key", r"(?:ABSK[A-Za-z0-9+/]{100,260}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{40,2000})",
        "ABSK", "bedrock-api-key-", holds=varied, source="AWS Bedrock: API keys"),
    key("google-api-key", rf"AIza{B}{{35}}(?!{B})", "AIza", holds=varied, source="Google Cloud: API keys"),
    key("google-oauth", rf"(?:ya29\.{B}{{20,400}}|GOCSPX-{B}{{20,60}}|1//0{B}{{30,200}})",
        "ya29.", "GOCSPX-", "1//0", source="Google: OAuth 2.0 tokens and client secrets"),
    key("azure-client-secret", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}", "Q~", before=6, source="Microsoft Entra: client secrets"),
    key("digitalocean-token", rf"do[opr]_v1_{HEX}{{64}}", "doo_v1_", "dop_v1_", "dor_v1_", source="DigitalOcean: personal access tokens"),
    key("alibaba-key", r"LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])", "LTAI", holds=varied, source="Alibaba Cloud: AccessKey pairs"),
    key("tencent-key", r"AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])", "AKID", holds=varied, source="Tencent Cloud: SecretId"),
    key("yandex-key", rf"(?:AQVN{B}{{35,45}}|YC{B}{{38}}(?!{B})|t1\.[A-Z0-9a-z_-]{{20,400}}={{0,2}}\.[A-Z0-9a-z_-]{{80,100}}={{0,2}})",
        "AQVN", "YCA", "YCM", "t1.", holds=varied, source="Yandex Cloud: API keys"),
    key("cloudflare-origin-key", rf"v1\.0-{HEX}{{24}}-{HEX}{{140,150}}", "v1.0-", source="Cloudflare: origin CA key"),
    key("hetzner-vault-token", rf"hv[sbr]\.{B}{{24,300}}", "hvs.", "hvb.", "hvr.", holds=varied, source="HashiCorp Vault: tokens"),
    key("vault-legacy-token", rf"s\.{A}{{24}}(?!{A})", "s.", holds=lambda v, b, a: looks_random(v[2:]), source="HashiCorp Vault: tokens before 1.10"),
    key("terraform-token", rf"{A}{{14}}\.atlasv1\.{B}{{60,70}}", ".atlasv1.", before=16, source="HashiCorp: Terraform API tokens"),
    key("flyio-token", r"(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,2000}={0,3})", "fo1_", "fm1", "fm2_", holds=varied, source="Fly.io: access tokens"),
    key("vercel-token", rf"vc[pkira]_{A}{{24,80}}", "vcp_", "vck_", "vci_", "vcr_", "vca_", holds=varied, source="Vercel: tokens"),
    key("netlify-token", rf"nfp_{A}{{36,60}}", "nfp_", source="Netlify: personal access tokens"),
    key("render-key", rf"rnd_{A}{{24,60}}", "rnd_", holds=varied, source="Render: API keys"),
    key("railway-heroku-key", rf"HRKU-(?:AA{B}{{50,70}}|{UUID})", "HRKU-", source="Heroku: API keys"),
    key("scaleway-key", rf"SCW[A-Z0-9]{{17}}(?!{A})", "SCW", holds=varied, source="Scaleway: API keys"),
    key("pulumi-token", rf"pul-{HEX}{{40}}", "pul-", source="Pulumi: access tokens"),
    key("doppler-token", rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{{2,35}}\.)?{A}{{40,44}}", "dp.", source="Doppler: token formats"),
    key("databricks-token", rf"dapi{HEX}{{32}}(?:-\d)?", "dapi", holds=varied, source="Databricks: personal access tokens"),
    key("onepassword-token", r"ops_eyJ[A-Za-z0-9+/_-]{200,4000}={0,3}", "ops_eyJ", source="1Password: service accounts"),
    key("onepassword-secret-key", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
        "A3-", holds=varied, source="1Password: Secret Key"),
    key("age-key", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}", "AGE-SECRET-KEY-1", source="age: format"),
)  # fmt: skip

CODE: tuple[Rule, ...] = (
    key("github-token", rf"(?:gh[pousr]_{A}{{30,255}}|github_pat_\w{{36,255}})", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
        holds=varied, source="GitHub: token formats"),
    key("gitlab-token", rf"(?:gl(?:pat|rtr?|wt)-{B}{{20,50}}(?:\.{B}{{2,4}}\.{B}{{7,12}})?|gl(?:dt|soat|ffct|ft)-{B}{{20}}|glcbt-(?:{A}{{1,5}}_)?{B}{{20}}|glptt-{B}{{40}}|glimt-{B}{{25}}|glagent-{B}{{50,100}}|gloas-{B}{{64}}|GR1348941{B}{{20}})(?!{B})",
        "glpat-", "glptt-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glft-", "glimt-", "glagent-", "glsoat-", "glffct-", "glwt-", "gloas-", "GR1348941",
        holds=varied, source="GitLab: token prefixes"),
    key("bitbucket-token", r"AT(?:BB[A-Za-z0-9]{32}|CTT3[A-Za-z0-9_=-]{60,260}|ATT3[A-Za-z0-9_=-]{60,260})", "ATBB", "ATCTT3", "ATATT3",
        holds=varied, source="Atlassian: API tokens"),
    key("npm-token", rf"npm_{A}{{30,60}}", "npm_", holds=varied, source="npm: access tokens"),
    key("pypi-token", rf"pypi-{B}{{50,400}}", "pypi-", holds=varied, source="PyPI: API tokens"),
    key("rubygems-key", rf"rubygems_{HEX}{{48}}", "rubygems_", source="RubyGems: API keys"),
    key("crates-token", rf"cio{A}{{32}}(?!{A})", "cio", holds=varied, source="Rust crates: API tokens"),
    key("nuget-key", r"oy2[a-z0-9]{43}(?![a-z0-9])", "oy2", source="NuGet: API keys"),
    key("clojars-token", r"CLOJARS_[a-z0-9]{60}", "CLOJARS_", source="Clojars: deploy tokens"),
    key("docker-token", rf"dckr_(?:pat|oat)_{B}{{20,60}}", "dckr_pat_", "dckr_oat_", source="Docker: access tokens"),
    key("artifactory-key", r"(?:AKCp[A-Za-z0-9]{60,80}|AKC[A-Za-z0-9]{10,80}|AP[\dABCDEF][A-Za-z0-9]{10,80}|cmVmd[A-Za-z0-9]{55,65})(?![A-Za-z0-9])",
        "AKC", "AP0", "AP1", "AP2", "AP3", "AP4", "AP5", "AP6", "AP7", "AP8", "AP9", "APA", "APB", "APC", "APD", "APE", "APF", "cmVmd",
        holds=lambda v, b, a: v[:3] == "AKC" or any(c.islower() for c in v), source="JFrog: API and reference tokens"),
    key("sourcegraph-token", r"sgp_(?:(?:local|[0-9a-fA-F]{16})_)?[0-9a-fA-F]{40}", "sgp_", source="Sourcegraph: access tokens"),
    key("linear-key", rf"lin_(?:api|oauth)_{A}{{40,64}}", "lin_api_", "lin_oauth_", source="Linear: API keys"),
    key("sentry-token", r"sntry[us]_[A-Za-z0-9+/=_]{40,400}", "sntrys_", "sntryu_", source="Sentry: auth tokens"),
    key("sonar-token", rf"sq[upa]_{HEX}{{40}}", "sqp_", "squ_", "sqa_", source="SonarQube: token prefixes"),
    key("snyk-postman-keys", rf"PMAK-{HEX}{{24}}-{HEX}{{34}}", "PMAK-", source="Postman: API keys"),
    key("circleci-token", rf"CCI(?:PAT|PRJ)_{A}{{20,30}}_{HEX}{{40}}", "CCIPAT_", "CCIPRJ_", source="CircleCI: API tokens"),
    key("buildkite-token", rf"bk(?:ua|ct|aj|at)_{A}{{30,60}}", "bkua_", "bkct_", "bkaj_", "bkat_", source="Buildkite: token prefixes"),
    key("prefect-token", r"pn[ub]_[a-z0-9A-Z]{36}", "pnu_", "pnb_", source="Prefect: API keys"),
    key("octopus-key", r"API-[A-Z0-9]{26}(?![A-Z0-9])", "API-", holds=varied, source="Octopus Deploy: API keys"),
    key("readme-key", r"rdme_[a-z0-9]{70}", "rdme_", source="ReadMe: API keys"),
    key("infracost-key", rf"ico-{A}{{32}}(?!{A})", "ico-", holds=lambda v, b, a: looks_random(v[4:]) and v[4:].lower() != v[4:], source="Infracost: API keys"),
    key("codecov-grafana-keys", r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,400}={0,3}|eyJrIjoi[A-Za-z0-9]{70,400}={0,3})",
        "glsa_", "glc_", "eyJrIjoi", holds=varied, source="Grafana: service account and cloud tokens"),
    key("figma-token", rf"fig[dour]_{B}{{30,60}}", "figd_", "figo_", "figu_", "figr_", source="Figma: personal access tokens"),
    key("notion-token", rf"(?:ntn_{A}{{40,60}}|secret_{A}{{43}}(?!{A}))", "ntn_", "secret_", holds=varied, source="Notion: integration tokens"),
    key("airtable-token", rf"pat{A}{{14}}\.{HEX}{{64}}", "pat", source="Airtable: personal access tokens"),
    key("newrelic-key", rf"(?:NRA[KLA]-[A-Z0-9]{{27}}|NRJS-{HEX}{{19}}|NRI[IQ]-{B}{{32}}|NRSP-[a-z0-9]{{20,60}})", "NRAK-", "NRAL-", "NRAA-", "NRJS-", "NRII-", "NRIQ-", "NRSP-", source="New Relic: API keys"),
    key("dynatrace-token", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}", "dt0", source="Dynatrace: token format"),
    key("harness-token", rf"(?:pat|sat)\.{B}{{22}}\.{A}{{24}}\.{A}{{20}}", "pat.", "sat.", source="Harness: API keys"),
    key("planetscale-secret", r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}", "pscale_", source="PlanetScale: prefixes"),
    key("supabase-key", rf"sb(?:p_{HEX}{{40}}|_secret_{B}{{20,60}})", "sbp_", "sb_secret_", source="Supabase: API keys"),
    key("definednetworking-token", r"dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}", "dnkey-", source="Defined Networking: API"),
    key("tailscale-key", rf"tskey-(?:[a-z]{{2,12}}-)?{A}{{6,40}}(?:-{A}{{10,60}})?", "tskey-", source="Tailscale: key prefixes"),
    key("ngrok-key", rf"(?:ak|cr|ey|sk)_2[A-Za-z0-9]{{26}}(?!{A})", "ak_2", "cr_2", holds=varied, source="ngrok: API keys"),
)  # fmt: skip

PEOPLE: tuple[Rule, ...] = (
    key("slack-token", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,260}", "xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-",
        holds=lambda v, b, a: len(v) >= 20 and varied(v) and sum(c.isdigit() for c in v) >= 4, source="Slack: token types"),
    key("slack-app-token", rf"(?:xapp-\d-[A-Z0-9]{{8,20}}-\d{{8,20}}-[a-z0-9]{{20,100}}|xoxc-[0-9-]{{10,60}}-{HEX}{{64}}|xoxd-[A-Za-z0-9%+/=-]{{20,300}})", "xapp-", "xoxc-", "xoxd-", source="Slack: token types"),
    key("webhook-url", r"(?:hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,100}|discord(?:app)?\.com/api/webhooks/\d{15,22}/[\w-]{50,90}|[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[\w@/-]{80,260}|hooks\.zapier\.com/hooks/catch/\d{4,12}/\w{4,20})",
        "hooks.slack.com", "discord.com/api", "discordapp.com/api", "hooks.zapier.com", source="Slack, Discord, Microsoft, Zapier: incoming webhooks"),
    key("discord-token", r"[MNO][A-Za-z0-9_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])", ".", before=28, holds=varied, source="Discord: bot tokens"),
    key("telegram-token", rf"\d{{8,10}}:A[A-Za-z0-9_-]{{34}}(?!{B})", ":A", before=12, holds=varied, source="Telegram: bot tokens"),
    key("twilio-key", rf"(?:SK|AC)[0-9a-fA-F]{{32}}(?!{A})", "SK", "AC", holds=varied, source="Twilio: API keys and SIDs"),
    key("sendgrid-key", rf"SG\.{B}{{18,26}}\.{B}{{35,50}}", "SG.", source="SendGrid: API keys"),
    key("mailgun-key", rf"(?:key-{HEX}{{32}}|pubkey-{HEX}{{32}}|{HEX}{{32}}-{HEX}{{8}}-{HEX}{{8}})(?!{A})", "key-", "pubkey-", source="Mailgun: API keys"),
    key("mailchimp-key", rf"{HEX}{{32}}-us\d{{1,2}}(?!{A})", "-us", before=34, holds=varied, source="Mailchimp: API keys"),
    key("brevo-key", rf"x(?:keysib|smtpsib)-{HEX}{{64}}-{A}{{16}}", "xkeysib-", "xsmtpsib-", source="Brevo: API keys"),
    key("resend-postmark-keys", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}", "re_", holds=varied, source="Resend: API keys"),
    key("stripe-key", r"(?:[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}|whsec_[A-Za-z0-9+/]{20,100}={0,2})", "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "whsec_", holds=varied, source="Stripe: API keys"),
    key("square-token", rf"(?:EAAA{B}{{55,62}}|sq0(?:atp|csp|idp)-{B}{{22,60}})", "EAAA", "sq0atp-", "sq0csp-", "sq0idp-", holds=varied, source="Square: access tokens"),
    key("paypal-braintree-token", rf"access_token\$(?:production|sandbox)\$[0-9a-z]{{16}}\${HEX}{{32}}", "access_token$", source="Braintree: access tokens"),
    key("adyen-key", r"AQE[A-Za-z0-9+/]{80,400}={0,2}-[A-Za-z0-9+/]{20,100}={0,2}-[^\s\"']{10,40}", "AQE", source="Adyen: API credentials"),
    key("plaid-token", rf"access-(?:sandbox|development|production)-{UUID}", "access-sandbox-", "access-development-", "access-production-", source="Plaid: access tokens"),
    key("flutterwave-key", rf"FLW(?:SECK|PUBK)(?:_TEST)?-{A}{{12,40}}-?X?", "FLWSECK", "FLWPUBK", holds=varied, source="Flutterwave: API keys"),
    key("razorpay-key", rf"rzp_(?:live|test)_{A}{{14,20}}", "rzp_live_", "rzp_test_", source="Razorpay: API keys"),
    key("shopify-token", r"shp(?:at|ca|pa|ss|ua|rt)_[0-9a-fA-F]{32}", "shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shprt_", source="Shopify: access tokens"),
    key("easypost-key", rf"EZ[AT]K{A}{{54}}", "EZAK", "EZTK", source="EasyPost: API keys"),
    key("shippo-key", rf"shippo_(?:live|test)_{HEX}{{40}}", "shippo_live_", "shippo_test_", source="Shippo: API keys"),
    key("duffel-frameio-keys", rf"(?:duffel_(?:test|live)_[\w=-]{{43}}|fio-u-[\w=-]{{64}}|lob_[\w]{{35,40}}|(?:live|test)_(?:pub_)?{HEX}{{35}}(?!{A}))", "duffel_", "fio-u-", "live_", "test_", holds=varied, source="Duffel, Frame.io, Lob: API keys"),
    key("typeform-contentful-keys", rf"(?:tfp_[\w.=-]{{59}}|CFPAT-{B}{{43}}|pat-(?:na|eu)\d-{UUID})", "tfp_", "CFPAT-", "pat-na", "pat-eu", source="Typeform, Contentful, HubSpot: tokens"),
    key("facebook-token", rf"(?:EAA[MC]{A}{{80,300}})", "EAAM", "EAAC", holds=varied, source="Meta: access tokens"),
    key("mapbox-token", rf"(?:sk|tk|pk)\.eyJ{B}{{40,200}}\.{B}{{20,30}}", "sk.eyJ", "tk.eyJ", "pk.eyJ", source="Mapbox: access tokens"),
    key("facebook-app-token", rf"\d{{13,17}}\|{B}{{24,40}}(?!{B})", "|", before=18, holds=varied, source="Meta: app access tokens"),
    key("intra42-token", r"s-s4t2(?:af|ud)-[a-f0-9]{64}", "s-s4t2", source="42 intra: API"),
    key("wordpress-rapid-keys", rf"sk_[a-f0-9]{{40}}(?!{A})", "sk_", holds=varied, source="generic secret keys in the Stripe style"),
)  # fmt: skip

MODELS: tuple[Rule, ...] = (
    key("anthropic-key", rf"sk-ant-(?:[a-z]{{2,8}}\d{{2}}-)?{B}{{24,200}}", "sk-ant-", holds=varied, source="Anthropic: API keys"),
    key("openai-key", rf"sk-(?:(?:proj|svcacct|admin|None|or-v1|lf)-)?{B}{{20,250}}(?!{B})", "sk-", holds=varied, source="OpenAI: API keys; DeepSeek, OpenRouter and others took its form"),
    key("huggingface-token", rf"(?:hf_{A}{{30,60}}|api_org_{A}{{34}})(?!{A})", "hf_", "api_org_", holds=lambda v, b, a: varied(v) and looks_random(v.removeprefix("hf_").removeprefix("api_org_")), source="Hugging Face: user access tokens"),
    key("groq-xai-keys", rf"(?:gsk_{A}{{48,56}}|xai-{A}{{70,90}})", "gsk_", "xai-", holds=varied, source="Groq, xAI: API keys"),
    key("replicate-token", rf"r8_{A}{{37,40}}", "r8_", source="Replicate: API tokens"),
    key("perplexity-key", rf"pplx-{A}{{48,56}}", "pplx-", holds=varied, source="Perplexity: API keys"),
    key("langchain-key", r"ls(?:v2_(?:pt|sk)|__)_?[A-Za-z0-9]{32}(?:_[a-f0-9]{10})?", "lsv2_", "ls__", source="LangSmith: API keys"),
    key("tavily-key", rf"tvly-(?:dev-|prod-)?{A}{{20,40}}", "tvly-", holds=varied, source="Tavily: API keys"),
    key("pinecone-key", rf"pcsk_{A}{{4,8}}_{A}{{50,70}}", "pcsk_", source="Pinecone: API keys"),
    key("nvidia-key", rf"nvapi-{B}{{60,70}}", "nvapi-", source="NVIDIA: API keys"),
    key("elevenlabs-fireworks-keys", rf"(?:sk_[a-f0-9]{{48}}|fw_{A}{{20,30}})(?!{A})", "sk_", "fw_", holds=varied, source="ElevenLabs, Fireworks: API keys"),
    key("cerebras-together-keys", rf"(?:csk-[a-z0-9]{{40,60}}|tgp_v1_{B}{{40,50}}|jina_{A}{{50,70}}|voyage-|pa-{B}{{43}})(?!{B})", "csk-", "tgp_v1_", "jina_", "pa-", holds=varied, source="Cerebras, Together, Jina, Voyage: API keys"),
    key("wandb-cohere-keys", rf"wandb_v1_{B}{{40,100}}", "wandb_v1_", source="Weights & Biases: API keys"),
)  # fmt: skip

WALLETS: tuple[Rule, ...] = (
    key("extended-private-key", r"[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,112}", "xprv", "yprv", "zprv", "tprv", "uprv", "vprv", source="BIP-32: serialization format"),
    key("wallet-import-key", r"(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9])", "5H", "5J", "5K", "K", "L", holds=varied, source="Bitcoin: wallet import format"),
    key("jwt", rf"eyJ{B}{{8,2000}}\.eyJ{B}{{8,4000}}(?:\.{B}{{6,2000}})?", "eyJ", holds=decodes_to_json, source="RFC 7519"),
    key("jwe", rf"eyJ{B}{{15,2000}}\.{B}{{0,1000}}\.{B}{{8,40}}\.{B}{{8,4000}}\.{B}{{16,40}}", "eyJ", holds=decodes_to_json, source="RFC 7516"),
    Rule("private-key", "secret", "secret",
         r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----[^-]{0,40000}(?:-{1,4}[^-]{1,4000}){0,20}(?:-----END[A-Z0-9 ]{0,60}-----)?",
         ("-----BEGIN",), "mark", holds=lambda v, b, a: len(v) >= 90, source="RFC 7468, OpenSSH PROTOCOL.key, RFC 9580"),
    Rule("putty-key", "secret", "secret", r"PuTTY-User-Key-File-\d: [\w-]{1,30}[^\0]{0,4000}?Private-MAC: [0-9a-f]{40,64}",
         ("PuTTY-User-Key-File-",), "literal", source="PuTTY: PPK file format"),
)  # fmt: skip

VENDORS = (*CLOUD, *CODE, *PEOPLE, *MODELS, *WALLETS)
