CREATE TYPE "public"."channel" AS ENUM('page', 'simulator', 'room', 'door', 'phone', 'rehearsal');--> statement-breakpoint
CREATE TYPE "public"."conversation_state" AS ENUM('open', 'waiting', 'with', 'ended');--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid,
	"name" text,
	"email" text,
	"phone" text,
	"external_id" text,
	"verified" boolean DEFAULT false NOT NULL,
	"reference" text,
	"note" text,
	"recording_bytes" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contacts_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "contacts_by_external_id" UNIQUE("workspace_id","external_id"),
	CONSTRAINT "contacts_of_members" CHECK ("contacts"."user_id" = "contacts"."id")
);
--> statement-breakpoint
-- Every account has a workspace of its own, and is its contact. Both have the account's id, so that what names the account
-- names them, too: columns get another name, and rows stay as they are.
INSERT INTO "workspaces" ("id", "created_at") SELECT "id", "created_at" FROM "users";--> statement-breakpoint
INSERT INTO "contacts" ("id", "workspace_id", "user_id", "name", "email", "verified", "recording_bytes", "created_at")
SELECT "id", "id", "id", "name", "email", true, "recording_bytes", "created_at" FROM "users";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "workspace_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_installation_owner" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Who owned everything goes on owning the installation, and everybody owns what is theirs.
UPDATE "users" SET "workspace_id" = "id", "is_installation_owner" = "role" = 'owner', "role" = 'owner';--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "workspace_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "role" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "recording_bytes";--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "workspace_id" uuid;--> statement-breakpoint
UPDATE "invitations" SET "workspace_id" = "invited_by";--> statement-breakpoint
ALTER TABLE "invitations" ALTER COLUMN "workspace_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_email_unique";--> statement-breakpoint
ALTER TABLE "agents" DROP CONSTRAINT "agents_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "agents" RENAME COLUMN "user_id" TO "workspace_id";--> statement-breakpoint
ALTER TABLE "actions" DROP CONSTRAINT "actions_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "actions" RENAME COLUMN "user_id" TO "workspace_id";--> statement-breakpoint
ALTER TABLE "documents" DROP CONSTRAINT "documents_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "documents" RENAME COLUMN "user_id" TO "workspace_id";--> statement-breakpoint
ALTER TABLE "unanswered_questions" DROP CONSTRAINT "unanswered_questions_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "unanswered_questions" RENAME COLUMN "user_id" TO "workspace_id";--> statement-breakpoint
ALTER TABLE "conversations" DROP CONSTRAINT "conversations_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "conversations" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "usage_by_company" DROP CONSTRAINT "usage_by_company_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "usage_by_company" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" DROP CONSTRAINT "usage_by_quarter_hour_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "live_calls" DROP CONSTRAINT "live_calls_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "live_calls" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "model_use_by_day" DROP CONSTRAINT "model_use_by_day_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "model_use_by_day" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "conversation_words" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "action_runs" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "recordings" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "model_uses" RENAME COLUMN "user_id" TO "contact_id";--> statement-breakpoint
ALTER TABLE "agent_versions" DROP CONSTRAINT "agent_versions_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "agent_versions" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER INDEX "agents_by_user" RENAME TO "agents_by_workspace";--> statement-breakpoint
ALTER INDEX "documents_by_user" RENAME TO "documents_by_workspace";--> statement-breakpoint
ALTER INDEX "conversations_by_user" RENAME TO "conversations_by_contact";--> statement-breakpoint
ALTER INDEX "action_runs_by_user" RENAME TO "action_runs_by_contact";--> statement-breakpoint
ALTER TABLE "usage_by_company" RENAME CONSTRAINT "usage_by_company_user_id_company_name_pk" TO "usage_by_company_contact_id_company_name_pk";--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" RENAME CONSTRAINT "usage_by_quarter_hour_user_id_quarter_hour_pk" TO "usage_by_quarter_hour_contact_id_quarter_hour_pk";--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "author_id" uuid;--> statement-breakpoint
-- Computed while the table is written once, which is several times as fast as an update of each row.
ALTER TABLE "conversations"
	ADD COLUMN "workspace_id" uuid GENERATED ALWAYS AS ("contact_id") STORED,
	ADD COLUMN "channel" "channel" GENERATED ALWAYS AS (
		CASE WHEN "room_name" IS NOT NULL THEN 'room'::"channel" WHEN "agent_id" IS NULL THEN 'simulator'::"channel" ELSE 'page'::"channel" END
	) STORED,
	ADD COLUMN "state" "conversation_state" GENERATED ALWAYS AS (
		CASE WHEN "ended_at" IS NULL THEN 'open'::"conversation_state" ELSE 'ended'::"conversation_state" END
	) STORED,
	ADD COLUMN "assigned_to" uuid;--> statement-breakpoint
ALTER TABLE "conversations"
	ALTER COLUMN "workspace_id" DROP EXPRESSION, ALTER COLUMN "workspace_id" SET NOT NULL,
	ALTER COLUMN "channel" DROP EXPRESSION, ALTER COLUMN "channel" SET NOT NULL,
	ALTER COLUMN "state" DROP EXPRESSION, ALTER COLUMN "state" SET DEFAULT 'open', ALTER COLUMN "state" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unanswered_questions" ADD CONSTRAINT "unanswered_questions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_by_company" ADD CONSTRAINT "usage_by_company_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" ADD CONSTRAINT "usage_by_quarter_hour_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_calls" ADD CONSTRAINT "live_calls_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_use_by_day" ADD CONSTRAINT "model_use_by_day_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_assigned_to_users_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_once" UNIQUE("workspace_id","email");--> statement-breakpoint
CREATE INDEX "invitations_by_email" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "users_by_workspace" ON "users" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "contacts_by_workspace" ON "contacts" USING btree ("workspace_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conversations_of_workspace" ON "conversations" USING btree ("workspace_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conversations_of_workspace_by_agent" ON "conversations" USING btree ("workspace_id","agent_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conversations_waiting" ON "conversations" USING btree ("workspace_id","state","id" DESC NULLS LAST) WHERE "conversations"."state" in ('waiting', 'with');--> statement-breakpoint
CREATE INDEX "conversations_assigned" ON "conversations" USING btree ("assigned_to","id" DESC NULLS LAST) WHERE "conversations"."assigned_to" is not null;--> statement-breakpoint
-- An account that comes with a workspace of its own brings it along.
CREATE FUNCTION bring_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO workspaces (id, created_at) VALUES (NEW.workspace_id, NEW.created_at) ON CONFLICT DO NOTHING;
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER workspace_of_new BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION bring_workspace();--> statement-breakpoint
-- A member is a contact, under the member's own id.
CREATE FUNCTION keep_contact_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO contacts (id, workspace_id, user_id, name, email, verified, created_at)
	VALUES (NEW.id, NEW.workspace_id, NEW.id, NEW.name, NEW.email, true, NEW.created_at)
	ON CONFLICT (id) DO UPDATE SET name = excluded.name, email = excluded.email;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER contact_of_member AFTER INSERT OR UPDATE OF name, email ON users
	FOR EACH ROW EXECUTE FUNCTION keep_contact_of_member();--> statement-breakpoint
-- A workspace goes with its last member.
CREATE FUNCTION end_workspaces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM workspaces USING (SELECT DISTINCT workspace_id FROM old_rows) AS was
	WHERE workspaces.id = was.workspace_id
		AND NOT EXISTS (SELECT FROM users WHERE users.workspace_id = was.workspace_id);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER workspaces_of_gone AFTER DELETE ON users
	REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION end_workspaces();--> statement-breakpoint
-- What is kept by triggers is kept for each contact. Since 0004, 0005 and 0009 nothing else has changed in these, but that the latest
-- activity of a contact that is gone is not looked for: a workspace takes contacts and conversations along in any order.
DROP FUNCTION usage_of(conversations[]);--> statement-breakpoint
CREATE FUNCTION usage_of(counted conversations[]) RETURNS TABLE (
	contact_id uuid, company_name text, duration_ms bigint, message_count integer, sentiment sentiment, outcome outcome,
	active_at timestamp with time zone
) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT c.contact_id, c.company_name,
		greatest(0, round(extract(epoch FROM c.last_message_at - c.first_message_at) * 1000))::bigint,
		c.message_count, c.sentiment, c.outcome, coalesce(c.last_message_at, c.created_at)
	FROM unnest(counted) AS c
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_usage(added conversations[], removed conversations[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	-- The order by key lets two transactions that touch the same rows wait for each other instead of locking up.
	-- The contact is gone when it is being deleted: its sums go with it.
	INSERT INTO usage_by_quarter_hour AS usage (contact_id, quarter_hour, positive, neutral, negative, urgent,
		answered, offered, declined, handover, social)
	SELECT contact_id, quarter_hour_of(created_at),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'positive'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'neutral'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'negative'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'urgent'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'answered'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'offered'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'declined'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'handover'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'social'), 0)
	FROM (
		SELECT 1 AS sign, a.contact_id, a.created_at, a.sentiment, a.outcome FROM unnest(added) AS a
		UNION ALL
		SELECT -1, r.contact_id, r.created_at, r.sentiment, r.outcome FROM unnest(removed) AS r
	) AS change
	WHERE EXISTS (SELECT FROM contacts WHERE contacts.id = change.contact_id)
	GROUP BY 1, 2
	HAVING sum(sign) FILTER (WHERE sentiment = 'positive') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'neutral') <> 0
		OR sum(sign) FILTER (WHERE sentiment = 'negative') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'urgent') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'answered') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'offered') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'declined') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'handover') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'social') <> 0
	ORDER BY 1, 2
	ON CONFLICT (contact_id, quarter_hour) DO UPDATE SET
		positive = usage.positive + excluded.positive,
		neutral = usage.neutral + excluded.neutral,
		negative = usage.negative + excluded.negative,
		urgent = usage.urgent + excluded.urgent,
		answered = usage.answered + excluded.answered,
		offered = usage.offered + excluded.offered,
		declined = usage.declined + excluded.declined,
		handover = usage.handover + excluded.handover,
		social = usage.social + excluded.social;

	INSERT INTO usage_by_company AS usage
		(contact_id, company_name, calls, duration_ms, messages, positive, neutral, negative, urgent,
		answered, offered, declined, handover, social, last_activity)
	SELECT contact_id, company_name, sum(sign), sum(sign * duration_ms), sum(sign * message_count),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'positive'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'neutral'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'negative'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'urgent'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'answered'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'offered'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'declined'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'handover'), 0),
		coalesce(sum(sign) FILTER (WHERE outcome = 'social'), 0),
		coalesce(max(active_at) FILTER (WHERE sign = 1), '-infinity')
	FROM (
		SELECT 1 AS sign, u.* FROM usage_of(added) AS u
		UNION ALL
		SELECT -1, u.* FROM usage_of(removed) AS u
	) AS change
	WHERE EXISTS (SELECT FROM contacts WHERE contacts.id = change.contact_id)
	GROUP BY contact_id, company_name
	HAVING sum(sign) <> 0 OR sum(sign * duration_ms) <> 0 OR sum(sign * message_count) <> 0
		OR sum(sign) FILTER (WHERE sentiment = 'positive') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'neutral') <> 0
		OR sum(sign) FILTER (WHERE sentiment = 'negative') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'urgent') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'answered') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'offered') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'declined') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'handover') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'social') <> 0
		OR max(active_at) FILTER (WHERE sign = 1) <> max(active_at) FILTER (WHERE sign = -1)
	ORDER BY contact_id, company_name
	ON CONFLICT (contact_id, company_name) DO UPDATE SET
		calls = usage.calls + excluded.calls,
		duration_ms = usage.duration_ms + excluded.duration_ms,
		messages = usage.messages + excluded.messages,
		positive = usage.positive + excluded.positive,
		neutral = usage.neutral + excluded.neutral,
		negative = usage.negative + excluded.negative,
		urgent = usage.urgent + excluded.urgent,
		answered = usage.answered + excluded.answered,
		offered = usage.offered + excluded.offered,
		declined = usage.declined + excluded.declined,
		handover = usage.handover + excluded.handover,
		social = usage.social + excluded.social,
		last_activity = greatest(usage.last_activity, excluded.last_activity);

	IF cardinality(removed) = 0 THEN RETURN; END IF;
	DELETE FROM usage_by_quarter_hour AS usage USING (
		SELECT DISTINCT r.contact_id, quarter_hour_of(r.created_at) AS quarter_hour FROM unnest(removed) AS r
	) AS gone
	WHERE usage.contact_id = gone.contact_id AND usage.quarter_hour = gone.quarter_hour
		AND usage.positive + usage.neutral + usage.negative + usage.urgent = 0;
	DELETE FROM usage_by_company AS usage USING (
		SELECT DISTINCT r.contact_id, r.company_name FROM unnest(removed) AS r
	) AS gone
	WHERE usage.contact_id = gone.contact_id AND usage.company_name = gone.company_name AND usage.calls = 0;
	-- A maximum cannot be subtracted from: where the latest activity may have gone, it is looked for again.
	UPDATE usage_by_company AS usage SET last_activity = (
		SELECT max(coalesce(c.last_message_at, c.created_at)) FROM conversations AS c
		WHERE c.contact_id = usage.contact_id AND c.company_name = usage.company_name
	)
	FROM (
		SELECT contact_id, company_name, max(active_at) AS active_at FROM usage_of(removed) GROUP BY 1, 2
	) AS was
	WHERE usage.contact_id = was.contact_id AND usage.company_name = was.company_name
		AND usage.last_activity <= was.active_at
		AND EXISTS (SELECT FROM contacts WHERE contacts.id = usage.contact_id)
		AND NOT EXISTS (
			SELECT FROM usage_of(added) AS is_now
			WHERE is_now.contact_id = was.contact_id AND is_now.company_name = was.company_name
				AND is_now.active_at >= usage.last_activity
		);
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_usage() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	added conversations[] := '{}';
	removed conversations[] := '{}';
	is_now conversations;
	was conversations;
BEGIN
	IF TG_OP = 'INSERT' THEN
		SELECT coalesce(array_agg(n), '{}') INTO added FROM new_rows AS n;
	ELSIF TG_OP = 'DELETE' THEN
		SELECT coalesce(array_agg(o), '{}') INTO removed FROM old_rows AS o;
	ELSE
		SELECT coalesce(array_agg(n), '{}'), coalesce(array_agg(o), '{}') INTO added, removed
		FROM new_rows AS n JOIN old_rows AS o ON n.id = o.id
		WHERE (n.contact_id, n.company_name, n.created_at, n.sentiment, n.outcome, n.message_count, n.first_message_at, n.last_message_at)
			IS DISTINCT FROM (o.contact_id, o.company_name, o.created_at, o.sentiment, o.outcome, o.message_count, o.first_message_at, o.last_message_at);
	END IF;
	IF cardinality(added) = 1 AND cardinality(removed) = 1 THEN
		is_now := added[1];
		was := removed[1];
		-- A message more, while somebody waits for it to be stored: one row to change.
		IF (is_now.contact_id, is_now.company_name, is_now.created_at, is_now.sentiment) = (was.contact_id, was.company_name, was.created_at, was.sentiment)
			AND is_now.outcome IS NOT DISTINCT FROM was.outcome
			AND is_now.first_message_at = was.first_message_at AND is_now.last_message_at >= was.last_message_at
			AND was.last_message_at >= was.first_message_at THEN
			UPDATE usage_by_company SET
				messages = messages + is_now.message_count - was.message_count,
				duration_ms = duration_ms + round(extract(epoch FROM is_now.last_message_at - was.last_message_at) * 1000)::bigint,
				last_activity = greatest(last_activity, is_now.last_message_at)
			WHERE contact_id = is_now.contact_id AND company_name = is_now.company_name;
			RETURN NULL;
		END IF;
	END IF;
	IF cardinality(added) + cardinality(removed) > 0 THEN PERFORM count_usage(added, removed); END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION rebuild_usage() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	LOCK TABLE conversations IN SHARE MODE;
	DELETE FROM usage_by_quarter_hour;
	DELETE FROM usage_by_company;
	PERFORM count_usage(array_agg(c), '{}') FROM conversations AS c GROUP BY c.contact_id;
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_recording_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		UPDATE contacts SET recording_bytes = recording_bytes + change.bytes
		FROM (SELECT contact_id, sum(bytes) AS bytes FROM new_rows GROUP BY contact_id) AS change
		WHERE contacts.id = change.contact_id;
	ELSE
		UPDATE contacts SET recording_bytes = recording_bytes - change.bytes
		FROM (SELECT contact_id, sum(bytes) AS bytes FROM old_rows GROUP BY contact_id) AS change
		WHERE contacts.id = change.contact_id;
	END IF;
	RETURN NULL;
END
$$;
