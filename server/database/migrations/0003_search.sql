CREATE TABLE "conversation_words" (
	"conversation_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"words" "tsvector" NOT NULL
) WITH (toast_tuple_target = 128);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "search_stale" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_words" ADD CONSTRAINT "conversation_words_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_words_found" ON "conversation_words" USING gin ("words") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "conversations_by_sentiment" ON "conversations" USING btree ("user_id","sentiment","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conversations_stale" ON "conversations" USING btree ("user_id","id") WHERE "conversations"."search_stale";