import { cva, type VariantProps } from 'class-variance-authority';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/class-names';

const bannerClasses = cva('flex items-start gap-3 rounded-md border px-4 py-3 text-sm', {
  variants: {
    tone: {
      info: 'border-accent-line bg-accent-soft text-accent-text',
      success: 'border-positive/30 bg-positive-soft text-positive-text',
      warning: 'border-negative/35 bg-negative-soft text-negative-text',
      error: 'border-urgent/30 bg-urgent-soft text-urgent-text',
    },
  },
  defaultVariants: { tone: 'info' },
});

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, error: CircleAlert };

interface BannerProps extends VariantProps<typeof bannerClasses> {
  className?: string;
  /** `alert` for what just failed, `status` for what changes while reading. */
  role?: 'alert' | 'status';
  icon?: ReactNode;
  children: ReactNode;
}

/** A sentence within the page, shown as long as it is true. */
export function Banner({ tone, className, role, icon, children }: BannerProps) {
  const Icon = icons[tone ?? 'info'];
  return (
    <div role={role} className={cn(bannerClasses({ tone }), className)}>
      <span className="mt-0.5 shrink-0 [&_svg]:size-4.5">{icon ?? <Icon aria-hidden="true" />}</span>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
