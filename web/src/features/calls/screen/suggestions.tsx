import { t } from '#web/texts/calls';
/** First questions to choose from, for a caller without one. */
export function Suggestions({
  questions,
  onChoose,
  disabled,
}: {
  questions: readonly string[];
  onChoose: (question: string) => void;
  disabled: boolean;
}) {
  return (
    <ul
      aria-label={t('suggestions')}
      className="-mx-3 flex gap-2 overflow-x-auto px-3 pb-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0 sm:pb-0"
    >
      {questions.map((question) => (
        <li key={question}>
          <button
            type="button"
            disabled={disabled}
            onClick={() => onChoose(question)}
            className="min-h-9 whitespace-nowrap rounded-full border border-line bg-surface px-3.5 py-1.5 text-left text-ink-muted text-sm transition-colors hover:not-disabled:border-accent-line hover:not-disabled:bg-accent-soft hover:not-disabled:text-accent-text disabled:opacity-55"
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}
