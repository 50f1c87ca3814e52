CREATE TABLE "action_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"action_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"turn_id" uuid NOT NULL,
	"inputs" jsonb NOT NULL,
	"outcome" text NOT NULL,
	"status" integer,
	"ms" integer,
	"said" text,
	"problem" text,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"used_when" text NOT NULL,
	"inputs" jsonb NOT NULL,
	"method" text NOT NULL,
	"url" text NOT NULL,
	"tool" text,
	"header_names" jsonb NOT NULL,
	"sealed_headers" text NOT NULL,
	"body" jsonb,
	"confirm" boolean NOT NULL,
	"says" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "action_runs" ADD CONSTRAINT "action_runs_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "action_runs_once" ON "action_runs" USING btree ("conversation_id","key");--> statement-breakpoint
CREATE INDEX "action_runs_by_user" ON "action_runs" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "actions_by_agent" ON "actions" USING btree ("user_id","agent_id","id");