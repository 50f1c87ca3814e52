CREATE TABLE "agent_versions" (
	"agent_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"content" jsonb NOT NULL,
	"changed" jsonb NOT NULL,
	"restored_from" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_versions_agent_id_version_pk" PRIMARY KEY("agent_id","version")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "agent_version" integer;--> statement-breakpoint
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_versions_by_user" ON "agent_versions" USING btree ("user_id");--> statement-breakpoint
-- What agents are now is their first version.
INSERT INTO "agent_versions" ("agent_id", "version", "user_id", "content", "changed", "created_at")
SELECT a."id", 1, a."user_id",
	jsonb_build_object(
		'name', a."name", 'companyName', a."company_name", 'personality', a."personality", 'companyInfo', a."company_info",
		'prompts', a."prompts", 'language', a."language", 'masks', a."masks",
		'documents', coalesce((
			SELECT jsonb_agg(jsonb_build_object('_id', d."id", 'title', d."title") ORDER BY d."id")
			FROM "documents" d JOIN "agent_documents" ad ON ad."document_id" = d."id" WHERE ad."agent_id" = a."id"
		), '[]'::jsonb),
		'actions', coalesce((
			SELECT jsonb_agg(jsonb_build_object('_id', x."id", 'name', x."name") ORDER BY x."id")
			FROM "actions" x WHERE x."agent_id" = a."id"
		), '[]'::jsonb)
	),
	'[]'::jsonb, a."updated_at"
FROM "agents" a;
