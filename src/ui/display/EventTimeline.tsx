import { Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';

export interface TimelineEvent {
  key: string | number;
  at: string;
  title: ReactNode;
  who?: string | null;
  body?: ReactNode;
  tone?: 'brand' | 'red' | 'orange' | 'gray';
}

/** Lists events in the given order, newest first: time, person, event. */
export function EventTimeline({ events, label }: { events: readonly TimelineEvent[]; label?: string }) {
  if (events.length === 0) return <EmptyState title="还没有记录" />;
  return (
    <Timeline active={events.length} bulletSize={14} lineWidth={2} {...(label ? { 'aria-label': label } : {})}>
      {events.map(({ key, at, title, who, body, tone = 'brand' }) => (
        <Timeline.Item
          key={key}
          color={tone}
          title={
            <Text fw={500} size="sm">
              {title}
            </Text>
          }
        >
          <Text size="xs" c="dimmed">
            <RelativeTime at={at} />
            {who ? ` · ${who}` : ''}
          </Text>
          {body && <div style={{ marginTop: 4, fontSize: 14 }}>{body}</div>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
