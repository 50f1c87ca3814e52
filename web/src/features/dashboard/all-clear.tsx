import { CircleCheck } from 'lucide-react';

/** An empty list in the room of one entry, so that lists with entries stand out. */
export function AllClear({ title, text }: { title: string; text: string }) {
  return (
    <div className="flex flex-1 items-center gap-3.5 px-5 py-4 sm:px-6">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-positive-soft text-positive-text">
        <CircleCheck aria-hidden="true" className="size-4.5" />
      </span>
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <p className="text-pretty text-ink-muted text-sm">{text}</p>
      </div>
    </div>
  );
}
