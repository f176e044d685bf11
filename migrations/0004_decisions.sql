-- running nodes: survive, since no earlier version knows these tables.
--
-- Decisions with their documents, outcomes and reviews.
--
-- A decision is a narrow row that is filtered and joined on, and its document: request, reply and evaluations as JSON.
-- Documents of one workspace that were stored together share one compressed block, which the rows point into.
-- docs/decisions/0024-documents-in-compressed-blocks.md has what other layouts cost.
--
-- Time is in decision_id (a ULID). So there is no created_at column, and newest-first is the primary key backwards.
-- mode is in the key because every read knows it, and test traffic must not slow live lists, nor live traffic test lists.

create table decisions (
  workspace_id uuid not null,
  decision_id uuid not null,
  segment_id uuid not null,
  amount_minor bigint not null,
  doc_offset integer not null, -- bytes from the start of the block's documents, uncompressed
  doc_bytes integer not null,
  latency_units integer not null, -- decision_latency_ms in units of 10 µs
  mode smallint not null, -- MODES
  decision_mode smallint not null, -- DECISION_MODES
  action smallint not null, -- ACTIONS
  risk_band smallint not null, -- RISK_BANDS
  merchant_id text not null,
  order_id text not null,
  currency text not null,
  primary_provider text,
  fallback_provider text,
  -- What the primary, the dearest and the first offered provider with real pricing cost; null without real pricing.
  cost_minor bigint,
  cost_dearest_minor bigint,
  cost_first_minor bigint,
  -- An outcome counts for health by these three, without the document.
  payment_method smallint not null default 0, -- PAYMENT_METHODS
  country text, -- ISO 3166-1 alpha-2; null only in rows that nobody decided
  card_network smallint, -- CARD_NETWORKS; null where the request names none
  primary key (workspace_id, mode, decision_id)
) partition by range (decision_id);

-- One 64-bit hash of both columns: a third of the cost of an index on the two. The columns in the row decide.
-- Look-ups by order are by equality alone, for which a hash index costs a decision half of what a btree does.
create index decisions_order on decisions
  using hash (hashtextextended(order_id, uuid_hash_extended(workspace_id, 0)));
-- 0 is `route`, nearly every row: those are found quickly without an index, the others need one.
create index decisions_action on decisions (workspace_id, mode, action, decision_id) where action <> 0;

create table decision_segments (
  workspace_id uuid not null,
  segment_id uuid not null, -- the decision_id of its first document
  docs bytea not null, -- brotli over the documents, end to end
  primary key (workspace_id, segment_id)
) partition by range (segment_id);
alter table decision_segments alter column docs set storage external; -- compressed already

-- One outcome per decision; no foreign key to decisions, since an outcome may overtake its decision between nodes.
create table outcomes (
  workspace_id uuid not null,
  decision_id uuid not null,
  amount_minor bigint,
  provider_latency_ms bigint, -- null, like provider_used, on a rejected review; else any number that JSON can say
  mode smallint not null, -- MODES
  outcome smallint not null, -- OUTCOMES
  technical_failure_type smallint, -- TECHNICAL_FAILURE_TYPES
  order_id text not null,
  provider_used text,
  provider_reason_code text,
  currency text,
  reported_at timestamptz not null default now(),
  created_at timestamptz, -- as reported, for backfills
  -- What the report that this one replaced said; null for the first report. Before PostgreSQL 18 RETURNING does not know
  -- the old row.
  replaced_outcome smallint, -- OUTCOMES
  replaced_provider text,
  primary key (workspace_id, mode, decision_id)
) partition by range (decision_id);

create table reviews (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  decision_id uuid not null,
  resolution smallint not null, -- REVIEW_RESOLUTIONS
  note text check (length(note) <= 500),
  resolved_by uuid not null,
  resolved_at timestamptz not null default now(),
  primary key (workspace_id, mode, decision_id)
);

-- CH-21. Tenants review and have no right to the notes, so the function runs as its owner.
do $$
begin
  execute format($function$
    create function note_reviews() returns trigger language plpgsql security definer set search_path = %I, pg_temp
    as $body$
    begin
      perform note_feedback(array_agg(workspace_id), array_agg(mode), array_agg(decision_id)) from added
      having count(*) > 0;
      return null;
    end
    $body$
  $function$, current_schema());
end
$$;
create trigger reviews_noted after insert on reviews
  referencing new table as added for each statement execute function note_reviews();

-- The smallest ULID of a moment, as uuid: the time's 48 bits, then zeros.
create function ulid_floor(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- An id of this moment, made by PostgreSQL: the time's 48 bits, then random ones.
create function new_ulid() returns uuid language sql volatile as $$
  select (left(replace(ulid_floor(clock_timestamp())::text, '-', ''), 12)
    || right(replace(gen_random_uuid()::text, '-', ''), 20))::uuid
$$;

-- The hour of an id, since 1970: its first 48 bits are Unix milliseconds.
create function id_hour(id uuid) returns integer language sql immutable strict parallel safe as $$
  select (('x' || substr(id::text, 1, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 3600000)::integer
$$;

-- The first moment of a partition. A partition holds a week that begins on Monday (UTC), and 1970 begins within one.
create function partition_start(moment timestamptz) returns timestamptz language sql immutable strict parallel safe as $$
  select greatest(date_trunc('week', moment at time zone 'UTC'), timestamp '1970-01-01') at time zone 'UTC'
$$;

-- Makes the partitions of decisions, decision_segments, outcomes and retried_decisions that hold `moment`. Many nodes may
-- call it at once, and more than once. It attaches a new table instead of creating it in place: that does not block readers.
-- docs/decisions/0098-decisions-leave-by-the-week.md has why a partition holds a week, and why there is no default one.
create function ensure_decision_partitions(moment timestamptz) returns void language plpgsql as $$
declare
  first_moment timestamptz := partition_start(moment);
  lower_bound uuid := ulid_floor(first_moment);
  upper_bound uuid := ulid_floor(partition_start(first_moment + interval '7 days'));
  parent text;
  child text;
begin
  perform pg_advisory_xact_lock(hashtextextended('ensure_decision_partitions', 0));
  foreach parent in array array['decisions', 'decision_segments', 'outcomes', 'retried_decisions'] loop
    child := parent || to_char(first_moment at time zone 'UTC', '_YYYY_MM_DD');
    if to_regclass(child) is null then
      execute format('create table %I (like %I including all)', child, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child, lower_bound, upper_bound);
    end if;
  end loop;
end
$$;
