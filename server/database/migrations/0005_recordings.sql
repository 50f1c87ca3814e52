CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "user_id" uuid;--> statement-breakpoint
UPDATE "recordings" SET "user_id" = c."user_id" FROM "conversations" AS c WHERE c."id" = "conversation_id";--> statement-breakpoint
ALTER TABLE "recordings" ALTER COLUMN "user_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "recording_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "users" SET "recording_bytes" = (SELECT coalesce(sum(r."bytes"), 0) FROM "recordings" AS r WHERE r."user_id" = "users"."id");--> statement-breakpoint
CREATE INDEX "recordings_waiting" ON "recordings" USING btree ("created_at") WHERE "recordings"."message_id" is null;--> statement-breakpoint
CREATE FUNCTION keep_recording_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		UPDATE users SET recording_bytes = recording_bytes + change.bytes
		FROM (SELECT user_id, sum(bytes) AS bytes FROM new_rows GROUP BY user_id) AS change
		WHERE users.id = change.user_id;
	ELSE
		UPDATE users SET recording_bytes = recording_bytes - change.bytes
		FROM (SELECT user_id, sum(bytes) AS bytes FROM old_rows GROUP BY user_id) AS change
		WHERE users.id = change.user_id;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER recording_bytes_of_new AFTER INSERT ON recordings
	REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_recording_bytes();--> statement-breakpoint
CREATE TRIGGER recording_bytes_of_deleted AFTER DELETE ON recordings
	REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_recording_bytes();
