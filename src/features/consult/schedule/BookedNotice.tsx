import { Alert, Group } from '@mantine/core';
import { WEEKDAY_NAMES, weekdayOf } from '#domain/consult/slots.ts';
import { Link } from '#ui/router/router.tsx';

export interface Booked {
  /** what is the matter with the bookings */
  words: string;
  booked: readonly { consultid: number; slotbegin: string }[];
}

/** Names the bookings that a change of hours concerns. They stay; each one leads to its registration, where it can be moved. */
export function BookedNotice({ words, booked, onClose }: Booked & { onClose: () => void }) {
  if (booked.length === 0) return null;
  return (
    <Alert
      color="orange"
      role="status"
      title={`${words}：${booked.length} 个，预约仍然有效，请逐个改期或取消`}
      styles={{ title: { color: 'var(--ink)' } }}
      withCloseButton
      closeButtonLabel="关闭"
      onClose={onClose}
    >
      <Group gap="4px 16px">
        {booked.map(({ consultid, slotbegin }) => (
          <Link key={consultid} to={`?tab=schedule&open=${consultid}`}>
            {slotbegin.slice(5, 10)} {WEEKDAY_NAMES[weekdayOf(slotbegin.slice(0, 10))]} {slotbegin.slice(11)}
          </Link>
        ))}
      </Group>
    </Alert>
  );
}
