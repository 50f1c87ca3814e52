ALTER TABLE "sessions" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "link_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_id_unique" UNIQUE("id");--> statement-breakpoint
UPDATE "sessions" SET "expires_at" = least("expires_at", "created_at" + interval '30 days');--> statement-breakpoint
CREATE FUNCTION end_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE users SET link_version = link_version + 1
	WHERE id IN (SELECT user_id FROM old_rows);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER links_of_ended AFTER DELETE ON sessions
	REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION end_links();
