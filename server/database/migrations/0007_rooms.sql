CREATE TABLE "live_calls" (
	"conversation_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"room_name" text NOT NULL,
	"agent_owner_id" uuid,
	"live_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "room_name" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "said_by" text;--> statement-breakpoint
ALTER TABLE "live_calls" ADD CONSTRAINT "live_calls_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_calls" ADD CONSTRAINT "live_calls_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "live_calls_one_record" ON "live_calls" USING btree ("user_id","room_name");--> statement-breakpoint
CREATE INDEX "live_calls_by_end" ON "live_calls" USING btree ("live_until");