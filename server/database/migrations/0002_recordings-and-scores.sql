CREATE TYPE "public"."speaker" AS ENUM('customer', 'agent');--> statement-breakpoint
CREATE TABLE "recordings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"message_id" uuid,
	"speaker" "speaker" NOT NULL,
	"storage_key" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"duration_ms" integer,
	"transcript" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "sentiment_score" real;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "sentiment_score" real;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recordings_by_conversation" ON "recordings" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "recordings_by_message" ON "recordings" USING btree ("message_id");