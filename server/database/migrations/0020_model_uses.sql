CREATE TABLE "model_use_by_day" (
	"user_id" uuid,
	"day" date NOT NULL,
	"model" text NOT NULL,
	"turns" integer NOT NULL,
	"input" bigint NOT NULL,
	"output" bigint NOT NULL,
	"cost_micros" bigint,
	CONSTRAINT "model_use_by_day_once" UNIQUE NULLS NOT DISTINCT("user_id","day","model")
);
--> statement-breakpoint
CREATE TABLE "model_uses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"message_id" uuid,
	"model" text NOT NULL,
	"input" integer NOT NULL,
	"output" integer NOT NULL,
	"cost_micros" bigint,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "model_use_by_day" ADD CONSTRAINT "model_use_by_day_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_uses" ADD CONSTRAINT "model_uses_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_uses_by_conversation" ON "model_uses" USING btree ("conversation_id","id");