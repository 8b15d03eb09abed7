import { ArticlePhase, type ArticlePhaseKey } from '#domain/content/content.ts';
import { EnumBadge } from '#ui/display/badges.tsx';

const tones = { visible: 'green', scheduled: 'lime', ended: 'amber' } as const;

/** Draft, timed, published, ended or taken down. */
export const PhaseBadge = ({ phase }: { phase: ArticlePhaseKey }) => <EnumBadge of={ArticlePhase} code={phase} tones={tones} />;

/** Whether an article can be published now: a draft, or one that was taken down. */
export const canPublish = (phase: ArticlePhaseKey): boolean => phase === 'draft' || phase === 'offline';

/** What taking down is called, and the question before it. */
export const offlineWords = (phase: ArticlePhaseKey, title: string) =>
  phase === 'scheduled'
    ? { label: '取消定时', question: `取消“${title}”的定时发布？之后可以重新发布。`, done: '已取消定时' }
    : { label: '下线', question: `下线“${title}”？读者将看不到它，之后可以重新发布。`, done: '已下线' };
