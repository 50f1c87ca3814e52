CREATE TABLE "engine_settings" (
	"capability" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine_settings" ADD CONSTRAINT "engine_settings_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;