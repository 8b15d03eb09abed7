import { ActionIcon, Group } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useState } from 'react';
import { notifyError } from '#ui/feedback/notify.ts';
import { useMaybeUser } from '#ui/api/session.ts';
import classes from './PersonName.module.css';

/**
 * A masked text with a button that reveals it; the server records each reveal. While acting in another account there is no button:
 * the server refuses every reveal then (`isClosedToActing`).
 */
function useReveal(reveal: (() => Promise<string>) | undefined) {
  const acting = Boolean(useMaybeUser()?.loginasby);
  const [clear, setClear] = useState<string>();
  const [busy, setBusy] = useState(false);
  const show = () => {
    if (!reveal || busy) return;
    setBusy(true);
    reveal()
      .then(setClear, notifyError)
      .finally(() => setBusy(false));
  };
  return { clear, busy, show, can: reveal !== undefined && !acting && clear === undefined };
}

interface Props {
  /** The text as the server sent it: masked unless the reader holds 00055. */
  value: string | null | undefined;
  /** Fetches the clear text through a `reveal` action; without it there is no button. */
  reveal?: () => Promise<string>;
  /** Label of the button for screen readers, e.g. 查看姓名. */
  what?: string;
  /** The text is a telephone number: the clear one is a link that dials it. */
  isPhone?: boolean;
}

/** Shows a name or telephone number as far as the reader may see it. */
export function PersonName({ value, reveal, what = '查看', isPhone = false }: Props) {
  const masked = value?.includes('*') ?? false;
  const { clear, busy, show, can } = useReveal(masked ? reveal : undefined);
  if (!value) return <>—</>;
  const text = clear ?? value;
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      {isPhone && !text.includes('*') ? (
        <a href={`tel:${text}`} className={classes['phone']}>
          {text}
        </a>
      ) : (
        <span data-long>{text}</span>
      )}
      {can && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="xs"
          className={classes['reveal'] ?? ''}
          loading={busy}
          aria-label={what}
          title={`${what}（将留下查看记录）`}
          onClick={show}
        >
          <IconEye size={14} />
        </ActionIcon>
      )}
    </Group>
  );
}
