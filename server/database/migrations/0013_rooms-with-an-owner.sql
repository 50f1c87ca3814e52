CREATE TYPE "public"."room_access" AS ENUM('members', 'invited');--> statement-breakpoint
CREATE TABLE "room_guests" (
	"room_name" text NOT NULL,
	"user_id" uuid NOT NULL,
	"knocked_at" timestamp (3) with time zone,
	"admitted_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "room_guests_room_name_user_id_pk" PRIMARY KEY("room_name","user_id")
);
--> statement-breakpoint
CREATE TABLE "room_invites" (
	"secret_hash" text PRIMARY KEY NOT NULL,
	"room_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rooms" (
	"name" text PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"access" "room_access" NOT NULL,
	"locked" boolean DEFAULT false NOT NULL,
	"lobby" boolean DEFAULT false NOT NULL,
	"agent_stays" boolean DEFAULT false NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "room_guests" ADD CONSTRAINT "room_guests_room_name_rooms_name_fk" FOREIGN KEY ("room_name") REFERENCES "public"."rooms"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_guests" ADD CONSTRAINT "room_guests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_invites" ADD CONSTRAINT "room_invites_room_name_rooms_name_fk" FOREIGN KEY ("room_name") REFERENCES "public"."rooms"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "room_guests_by_user" ON "room_guests" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "room_invites_by_room" ON "room_invites" USING btree ("room_name","created_at");--> statement-breakpoint
CREATE INDEX "rooms_by_owner" ON "rooms" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "rooms_by_use" ON "rooms" USING btree ("used_at");