CREATE TABLE "usage_by_company" (
	"user_id" uuid NOT NULL,
	"company_name" text NOT NULL,
	"calls" integer NOT NULL,
	"duration_ms" bigint NOT NULL,
	"messages" bigint NOT NULL,
	"positive" integer NOT NULL,
	"neutral" integer NOT NULL,
	"negative" integer NOT NULL,
	"urgent" integer NOT NULL,
	"last_activity" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_by_company_user_id_company_name_pk" PRIMARY KEY("user_id","company_name")
);
--> statement-breakpoint
CREATE TABLE "usage_by_quarter_hour" (
	"user_id" uuid NOT NULL,
	"quarter_hour" integer NOT NULL,
	"positive" integer NOT NULL,
	"neutral" integer NOT NULL,
	"negative" integer NOT NULL,
	"urgent" integer NOT NULL,
	CONSTRAINT "usage_by_quarter_hour_user_id_quarter_hour_pk" PRIMARY KEY("user_id","quarter_hour")
);
--> statement-breakpoint
ALTER TABLE "usage_by_company" ADD CONSTRAINT "usage_by_company_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_by_quarter_hour" ADD CONSTRAINT "usage_by_quarter_hour_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Second replies to the same message, which races could store until now, would stop the unique index below.
WITH twice AS (
	DELETE FROM messages AS later USING messages AS first
	WHERE later.reply_to = first.reply_to AND later.id > first.id
	RETURNING later.id, later.conversation_id
)
UPDATE conversations SET message_count = message_count - gone.count
FROM (SELECT conversation_id, count(DISTINCT id)::int AS count FROM twice GROUP BY conversation_id) AS gone
WHERE conversations.id = gone.conversation_id;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_one_reply" ON "messages" USING btree ("reply_to") WHERE "messages"."reply_to" is not null;--> statement-breakpoint
CREATE FUNCTION quarter_hour_of(moment timestamp with time zone) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT floor(extract(epoch FROM moment) / 900)::int
$$;--> statement-breakpoint
-- What of a conversation is counted.
CREATE FUNCTION usage_of(counted conversations[]) RETURNS TABLE (
	user_id uuid, company_name text, duration_ms bigint, message_count integer, sentiment sentiment,
	active_at timestamp with time zone
) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT c.user_id, c.company_name,
		greatest(0, round(extract(epoch FROM c.last_message_at - c.first_message_at) * 1000))::bigint,
		c.message_count, c.sentiment, coalesce(c.last_message_at, c.created_at)
	FROM unnest(counted) AS c
$$;--> statement-breakpoint
-- Adds conversations to the sums and takes others away; an updated conversation is taken away as it was and added as it is.
CREATE FUNCTION count_usage(added conversations[], removed conversations[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	-- The order by key lets two transactions that touch the same rows wait for each other instead of locking up.
	-- The owner is gone when their account is being deleted: its sums go with it.
	INSERT INTO usage_by_quarter_hour AS usage (user_id, quarter_hour, positive, neutral, negative, urgent)
	SELECT user_id, quarter_hour_of(created_at),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'positive'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'neutral'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'negative'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'urgent'), 0)
	FROM (
		SELECT 1 AS sign, a.user_id, a.created_at, a.sentiment FROM unnest(added) AS a
		UNION ALL
		SELECT -1, r.user_id, r.created_at, r.sentiment FROM unnest(removed) AS r
	) AS change
	WHERE EXISTS (SELECT FROM users WHERE users.id = change.user_id)
	GROUP BY 1, 2
	HAVING sum(sign) FILTER (WHERE sentiment = 'positive') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'neutral') <> 0
		OR sum(sign) FILTER (WHERE sentiment = 'negative') <> 0 OR sum(sign) FILTER (WHERE sentiment = 'urgent') <> 0
	ORDER BY 1, 2
	ON CONFLICT (user_id, quarter_hour) DO UPDATE SET
		positive = usage.positive + excluded.positive,
		neutral = usage.neutral + excluded.neutral,
		negative = usage.negative + excluded.negative,
		urgent = usage.urgent + excluded.urgent;

	INSERT INTO usage_by_company AS usage
		(user_id, company_name, calls, duration_ms, messages, positive, neutral, negative, urgent, last_activity)
	SELECT user_id, company_name, sum(sign), sum(sign * duration_ms), sum(sign * message_count),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'positive'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'neutral'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'negative'), 0),
		coalesce(sum(sign) FILTER (WHERE sentiment = 'urgent'), 0),
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
CREATE FUNCTION keep_usage() RETURNS trigger LANGUAGE plpgsql AS $$
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
		WHERE (n.user_id, n.company_name, n.created_at, n.sentiment, n.message_count, n.first_message_at, n.last_message_at)
			IS DISTINCT FROM (o.user_id, o.company_name, o.created_at, o.sentiment, o.message_count, o.first_message_at, o.last_message_at);
	END IF;
	IF cardinality(added) = 1 AND cardinality(removed) = 1 THEN
		is_now := added[1];
		was := removed[1];
		-- A message more, while somebody waits for it to be stored: one row to change.
		IF (is_now.user_id, is_now.company_name, is_now.created_at, is_now.sentiment) = (was.user_id, was.company_name, was.created_at, was.sentiment)
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
$$;--> statement-breakpoint
CREATE TRIGGER usage_of_new AFTER INSERT ON conversations
	REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_usage();--> statement-breakpoint
CREATE TRIGGER usage_of_changed AFTER UPDATE ON conversations
	REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_usage();--> statement-breakpoint
CREATE TRIGGER usage_of_deleted AFTER DELETE ON conversations
	REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_usage();--> statement-breakpoint
-- Counts everything again. Nobody writes conversations meanwhile.
CREATE FUNCTION rebuild_usage() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	LOCK TABLE conversations IN SHARE MODE;
	DELETE FROM usage_by_quarter_hour;
	DELETE FROM usage_by_company;
	PERFORM count_usage(array_agg(c), '{}') FROM conversations AS c GROUP BY c.user_id;
END
$$;--> statement-breakpoint
SELECT rebuild_usage();
