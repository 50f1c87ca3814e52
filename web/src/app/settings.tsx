import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { SettingsDialog } from '#web/features/settings/settings-dialog';
import { queryClient } from '#web/lib/server/query-client';

/** The settings, opened from the bar: it stands above the pages and shares what they have fetched. */
export function Settings(props: ComponentProps<typeof SettingsDialog>) {
  return (
    <QueryClientProvider client={queryClient}>
      <SettingsDialog {...props} />
    </QueryClientProvider>
  );
}
