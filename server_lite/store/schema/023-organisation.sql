-- What an organisation keeps beside its settings: emoji, profile fields, playgrounds, domains.

CREATE TABLE custom_emoji (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    name         TEXT NOT NULL,
    author_id    INTEGER REFERENCES user (id),
    deactivated  INTEGER NOT NULL DEFAULT 0,
    extension    TEXT NOT NULL,              -- png, jpg, gif or webp, by what the image is
    image        BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX custom_emoji_name ON custom_emoji (name) WHERE NOT deactivated;

CREATE TABLE profile_field (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    type                  INTEGER NOT NULL,  -- 1 short text … 8 pronouns, as the API numbers them
    position              INTEGER NOT NULL,
    name                  TEXT NOT NULL,
    hint                  TEXT NOT NULL DEFAULT '',
    field_data            TEXT NOT NULL DEFAULT '', -- JSON, as the API shows it; '' where there is none
    display_in_summary    INTEGER NOT NULL DEFAULT 0,
    required              INTEGER NOT NULL DEFAULT 0,
    editable_by_user      INTEGER NOT NULL DEFAULT 1,
    use_for_user_matching INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX profile_field_name ON profile_field (lower(name));

CREATE TABLE profile_value (
    user_id  INTEGER NOT NULL REFERENCES user (id),
    field_id INTEGER NOT NULL REFERENCES profile_field (id) ON DELETE CASCADE,
    value    TEXT NOT NULL,
    rendered TEXT,                           -- HTML, for fields that take formatting
    PRIMARY KEY (user_id, field_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX profile_value_field ON profile_value (field_id);

CREATE TABLE playground (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    name              TEXT NOT NULL,
    pygments_language TEXT NOT NULL,
    url_template      TEXT NOT NULL,         -- RFC 6570, with the variable `code`
    UNIQUE (pygments_language, name)
) STRICT;

CREATE TABLE realm_domain (
    domain           TEXT PRIMARY KEY,       -- lower case
    allow_subdomains INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
