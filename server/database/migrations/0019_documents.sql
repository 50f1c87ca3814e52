CREATE TABLE "agent_documents" (
	"agent_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	CONSTRAINT "agent_documents_agent_id_document_id_pk" PRIMARY KEY("agent_id","document_id")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"kind" text NOT NULL,
	"source" text,
	"parts" jsonb,
	"status" text NOT NULL,
	"problem" text,
	"characters" integer DEFAULT 0 NOT NULL,
	"passages" integer DEFAULT 0 NOT NULL,
	"read_every_days" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "documents_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agent_documents" ADD CONSTRAINT "agent_documents_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_documents" ADD CONSTRAINT "agent_documents_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_documents_by_document" ON "agent_documents" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "documents_by_user" ON "documents" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "documents_waiting" ON "documents" USING btree ("id") WHERE "documents"."status" = 'indexing';--> statement-breakpoint
CREATE INDEX "documents_scheduled" ON "documents" USING btree ("tried_at") WHERE "documents"."read_every_days" is not null;