CREATE TYPE "public"."outcome" AS ENUM('asked-back', 'social', 'answered', 'offered', 'declined', 'handover');--> statement-breakpoint
CREATE TABLE "unanswered_questions" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"agent_id" uuid,
	"agent_name" text NOT NULL,
	"question" text NOT NULL,
	"reply_id" uuid NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_by" uuid,
	"group_id" uuid,
	"vector" "bytea",
	"vector_of" text,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "outcome" "outcome";--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "contact" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "outcome" "outcome";--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "state" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "topic" text;--> statement-breakpoint
ALTER TABLE "usage_by_company" ADD COLUMN "answered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_company" ADD COLUMN "offered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_company" ADD COLUMN "declined" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_company" ADD COLUMN "handover" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_company" ADD COLUMN "social" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" ADD COLUMN "answered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" ADD COLUMN "offered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" ADD COLUMN "declined" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" ADD COLUMN "handover" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" ADD COLUMN "social" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "unanswered_questions" ADD CONSTRAINT "unanswered_questions_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unanswered_questions" ADD CONSTRAINT "unanswered_questions_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unanswered_questions" ADD CONSTRAINT "unanswered_questions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unanswered_questions" ADD CONSTRAINT "unanswered_questions_reply_id_messages_id_fk" FOREIGN KEY ("reply_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unanswered_questions" ADD CONSTRAINT "unanswered_questions_answered_by_messages_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unanswered_open" ON "unanswered_questions" USING btree ("user_id","agent_id","message_id" DESC NULLS LAST) WHERE "unanswered_questions"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "unanswered_by_group" ON "unanswered_questions" USING btree ("user_id","group_id");--> statement-breakpoint
CREATE INDEX "unanswered_by_conversation" ON "unanswered_questions" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "unanswered_by_reply" ON "unanswered_questions" USING btree ("reply_id");--> statement-breakpoint
CREATE INDEX "unanswered_by_answer" ON "unanswered_questions" USING btree ("answered_by") WHERE "unanswered_questions"."answered_by" is not null;--> statement-breakpoint
CREATE INDEX "unanswered_waiting" ON "unanswered_questions" USING btree ("message_id") WHERE "unanswered_questions"."group_id" is null;--> statement-breakpoint
CREATE INDEX "conversations_by_outcome" ON "conversations" USING btree ("user_id","outcome","id" DESC NULLS LAST);--> statement-breakpoint
-- What of a conversation is counted, its outcome now, too.
DROP FUNCTION usage_of(conversations[]);--> statement-breakpoint
CREATE FUNCTION usage_of(counted conversations[]) RETURNS TABLE (
	user_id uuid, company_name text, duration_ms bigint, message_count integer, sentiment sentiment, outcome outcome,
	active_at timestamp with time zone
) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT c.user_id, c.company_name,
		greatest(0, round(extract(epoch FROM c.last_message_at - c.first_message_at) * 1000))::bigint,
		c.message_count, c.sentiment, c.outcome, coalesce(c.last_message_at, c.created_at)
	FROM unnest(counted) AS c
$$;--> statement-breakpoint
-- Adds conversations to the sums and takes others away; an updated conversation is taken away as it was and added as it is.
CREATE OR REPLACE FUNCTION count_usage(added conversations[], removed conversations[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	-- The order by key lets two transactions that touch the same rows wait for each other instead of locking up.
	-- The owner is gone when their account is being deleted: its sums go with it.
	INSERT INTO usage_by_quarter_hour AS usage (user_id, quarter_hour, positive, neutral, negative, urgent,
		answered, offered, declined, handover, social)
	SELECT user_id, quarter_hour_of(created_at),
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
		SELECT 1 AS sign, a.user_id, a.created_at, a.sentiment, a.outcome FROM unnest(added) AS a
		UNION ALL
		SELECT -1, r.user_id, r.created_at, r.sentiment, r.outcome FROM unnest(removed) AS r
	) AS change
	WHERE EXISTS (SELECT FROM users WHERE users.id = change.user_id)
	GROUP BY 1, 2
	HAVING sum(sign) FILTER (WHERE sentiment = 'positive') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'neutral') <> 0
		OR sum(sign) FILTER (WHERE sentiment = 'negative') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'urgent') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'answered') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'offered') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'declined') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'handover') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'social') <> 0
	ORDER BY 1, 2
	ON CONFLICT (user_id, quarter_hour) DO UPDATE SET
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
		(user_id, company_name, calls, duration_ms, messages, positive, neutral, negative, urgent,
		answered, offered, declined, handover, social, last_activity)
	SELECT user_id, company_name, sum(sign), sum(sign * duration_ms), sum(sign * message_count),
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
	WHERE EXISTS (SELECT FROM users WHERE users.id = change.user_id)
	GROUP BY user_id, company_name
	HAVING sum(sign) <> 0 OR sum(sign * duration_ms) <> 0 OR sum(sign * message_count) <> 0
		OR sum(sign) FILTER (WHERE sentiment = 'positive') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'neutral') <> 0
		OR sum(sign) FILTER (WHERE sentiment = 'negative') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'urgent') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'answered') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'offered') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'declined') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'handover') <> 0
		OR sum(sign) FILTER (WHERE outcome = 'social') <> 0
		OR max(active_at) FILTER (WHERE sign = 1) <> max(active_at) FILTER (WHERE sign = -1)
	ORDER BY user_id, company_name
	ON CONFLICT (user_id, company_name) DO UPDATE SET
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
		SELECT DISTINCT r.user_id, quarter_hour_of(r.created_at) AS quarter_hour FROM unnest(removed) AS r
	) AS gone
	WHERE usage.user_id = gone.user_id AND usage.quarter_hour = gone.quarter_hour
		AND usage.positive + usage.neutral + usage.negative + usage.urgent = 0;
	DELETE FROM usage_by_company AS usage USING (
		SELECT DISTINCT r.user_id, r.company_name FROM unnest(removed) AS r
	) AS gone
	WHERE usage.user_id = gone.user_id AND usage.company_name = gone.company_name AND usage.calls = 0;
	-- A maximum cannot be subtracted from: where the latest activity may have gone, it is looked for again.
	UPDATE usage_by_company AS usage SET last_activity = (
		SELECT max(coalesce(c.last_message_at, c.created_at)) FROM conversations AS c
		WHERE c.user_id = usage.user_id AND c.company_name = usage.company_name
	)
	FROM (
		SELECT user_id, company_name, max(active_at) AS active_at FROM usage_of(removed) GROUP BY 1, 2
	) AS was
	WHERE usage.user_id = was.user_id AND usage.company_name = was.company_name
		AND usage.last_activity <= was.active_at
		AND NOT EXISTS (
			SELECT FROM usage_of(added) AS is_now
			WHERE is_now.user_id = was.user_id AND is_now.company_name = was.company_name
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
		WHERE (n.user_id, n.company_name, n.created_at, n.sentiment, n.outcome, n.message_count, n.first_message_at, n.last_message_at)
			IS DISTINCT FROM (o.user_id, o.company_name, o.created_at, o.sentiment, o.outcome, o.message_count, o.first_message_at, o.last_message_at);
	END IF;
	IF cardinality(added) = 1 AND cardinality(removed) = 1 THEN
		is_now := added[1];
		was := removed[1];
		-- A message more, while somebody waits for it to be stored: one row to change.
		IF (is_now.user_id, is_now.company_name, is_now.created_at, is_now.sentiment) = (was.user_id, was.company_name, was.created_at, was.sentiment)
			AND is_now.outcome IS NOT DISTINCT FROM was.outcome
			AND is_now.first_message_at = was.first_message_at AND is_now.last_message_at >= was.last_message_at
			AND was.last_message_at >= was.first_message_at THEN
			UPDATE usage_by_company SET
				messages = messages + is_now.message_count - was.message_count,
				duration_ms = duration_ms + round(extract(epoch FROM is_now.last_message_at - was.last_message_at) * 1000)::bigint,
				last_activity = greatest(last_activity, is_now.last_message_at)
			WHERE user_id = is_now.user_id AND company_name = is_now.company_name;
			RETURN NULL;
		END IF;
	END IF;
	IF cardinality(added) + cardinality(removed) > 0 THEN PERFORM count_usage(added, removed); END IF;
	RETURN NULL;
END
$$;
