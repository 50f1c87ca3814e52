ALTER TABLE "action_runs" ADD COLUMN "claim" text;--> statement-breakpoint
ALTER TABLE "live_calls" ADD COLUMN "call_id" uuid;--> statement-breakpoint
ALTER TABLE "room_guests" ADD COLUMN "inside_at_closing" integer;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "look" text;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "closings" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "action_runs_claimed_once" ON "action_runs" USING btree ("claim") WHERE "action_runs"."outcome" not in ('failed', 'refused');--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_look_unique" UNIQUE("look");