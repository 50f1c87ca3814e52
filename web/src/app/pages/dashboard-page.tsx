import { ArrowRight, MessageCircleQuestion, MessagesSquare, Phone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { DEFAULT_PERIOD } from '#shared/insights';
import { mayChangeAgents, useUser } from '#web/features/accounts/auth';
import { useRecentConversations } from '#web/features/conversations/api';
import { RecentConversations } from '#web/features/conversations/list/recent-conversations';
import { Answers } from '#web/features/dashboard/answers';
import { isBeforeFirstCall, useStats } from '#web/features/dashboard/api';
import { CallsOverTime } from '#web/features/dashboard/calls-over-time';
import { CustomerSatisfaction } from '#web/features/dashboard/customer-satisfaction';
import { LanguageModel } from '#web/features/dashboard/language-model';
import { NeedsColleague } from '#web/features/dashboard/needs-colleague';
import { ServiceMetrics } from '#web/features/dashboard/service-metrics';
import { UrgentConversations } from '#web/features/dashboard/urgent-conversations';
import { MOST_UNANSWERED, useUnanswered } from '#web/features/unanswered/api';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/dashboard';
import { Button } from '#web/ui/button';
import { Card } from '#web/ui/card';
import { SigmaGlyph } from '#web/ui/logo';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';

export function DashboardPage() {
  const user = useUser();
  const [period, setPeriod] = useState(DEFAULT_PERIOD);
  const stats = useStats(user._id, period);
  const recent = useRecentConversations(5);
  // Before the first call, the invitation to it comes first.
  const isFirstDay = isBeforeFirstCall(stats);
  const overTime = <CallsOverTime stats={stats} period={period} onPeriod={setPeriod} />;
  const recentCalls = <RecentConversations recent={recent} />;

  return (
    <PageColumn>
      <PageTitle>{t('page.title')}</PageTitle>
      <PageHeader title={t('page.welcome', { name: user.name })} text={t('page.text')}>
        <Button asChild size="lg">
          <Link to="/call-simulator">
            <Phone aria-hidden="true" />
            {t('page.startNewCall')}
          </Link>
        </Button>
      </PageHeader>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <ServiceMetrics stats={stats} />
        <CustomerSatisfaction stats={stats} />
        {isFirstDay ? (
          <>
            <div className={column}>
              <Card>{recentCalls}</Card>
              {overTime}
            </div>
            <div className={column}>
              <WaysOn />
              <UrgentConversations stats={stats} />
            </div>
            <LanguageModel className="lg:col-span-2" />
          </>
        ) : (
          <>
            {/* On a phone the numbers come before the lists. */}
            <Answers stats={stats} className="lg:col-start-2 lg:row-start-2" />
            <div className={cn(column, 'lg:col-start-1 lg:row-start-2')}>
              <UrgentConversations stats={stats} />
              <NeedsColleague stats={stats} />
            </div>
            <div className={column}>{overTime}</div>
            <div className={column}>
              <WaysOn />
            </div>
            <LanguageModel className="lg:col-span-2" />
            <Card className="lg:col-span-2">{recentCalls}</Card>
          </>
        )}
      </div>
    </PageColumn>
  );
}

/** Cards of one column share its height. */
const column = 'flex flex-col gap-5';

/** Describes the demo agent and leads to other pages. */
function WaysOn() {
  return (
    <>
      <DemoInfo />
      <LinkCard
        to="/conversations"
        icon={<MessagesSquare aria-hidden="true" />}
        title={t('page.viewConversations')}
        text={t('page.viewConversationsText')}
      />
      {mayChangeAgents(useUser()) && <UnansweredLink />}
    </>
  );
}

function DemoInfo() {
  return (
    <section
      aria-labelledby="demo-info"
      className="flex flex-1 flex-col rounded-lg border border-accent-line bg-accent-soft p-5 sm:p-6"
    >
      <div className="flex items-center gap-3">
        <span className="orb-core grid size-10 place-items-center rounded-full text-white">
          <SigmaGlyph className="size-5" />
        </span>
        <h2 id="demo-info" className="font-semibold text-lg">
          {t('demo.title')}
        </h2>
      </div>
      <p className="mt-3 text-ink-muted">{t('demo.text')}</p>
      <Link
        to="/call-simulator"
        className="mt-auto inline-flex items-center gap-1.5 self-start rounded-sm pt-4 font-medium text-accent-text hover:underline hover:underline-offset-4"
      >
        {t('demo.ask')}
        <ArrowRight aria-hidden="true" className="size-4" />
      </Link>
    </section>
  );
}

/** Links to the unanswered questions, with their number unless it is zero or unknown. */
function UnansweredLink() {
  const count = useUnanswered().data?.length ?? 0;
  const waiting =
    count < MOST_UNANSWERED ? t('unanswered.waiting', { count }) : t('unanswered.waitingOrMore', { count });
  return (
    <LinkCard
      to="/unanswered"
      icon={<MessageCircleQuestion aria-hidden="true" />}
      title={t('unanswered.title')}
      text={count > 0 ? waiting : t('unanswered.none')}
    />
  );
}

interface LinkCardProps {
  to: string;
  icon: ReactNode;
  title: string;
  text: string;
}

function LinkCard({ to, icon, title, text }: LinkCardProps) {
  return (
    <Link
      to={to}
      className="group flex items-center gap-4 rounded-lg border border-line bg-surface p-5 shadow-lift transition-[border-color,box-shadow] hover:border-accent-line hover:shadow-float"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-md bg-sunken text-ink-muted [&_svg]:size-5">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">{title}</span>
        <span className="numbers block text-ink-muted text-sm">{text}</span>
      </span>
      <ArrowRight
        aria-hidden="true"
        className="size-4.5 shrink-0 text-ink-faint transition-transform group-hover:translate-x-0.5"
      />
    </Link>
  );
}
