import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { useSearchParams } from '#ui/router/router.tsx';
import { findNeighbour, findPosition, restoreSequence } from '#features/warning/list/caseSequence.ts';

/** Leads to the case above and below in the list that the reader came from. */
export function CaseMoves({ warningcode, onMove }: { warningcode: string; onMove: (warningcode: string) => void }) {
  const [loading, setLoading] = useState<'before' | 'after'>();
  const [params] = useSearchParams();
  const [, setRestored] = useState('');
  useEffect(() => {
    // Without the list, for example after a change of rights, the case stands alone.
    restoreSequence(warningcode, params).then(
      () => setRestored(warningcode),
      () => undefined,
    );
  }, [warningcode, params]);
  const position = findPosition(warningcode);
  if (!position) return null;
  const { previous, next, hasBefore, hasMore } = position;
  const move = async (direction: 'before' | 'after') => {
    const known = direction === 'after' ? next : previous;
    if (known) return onMove(known);
    setLoading(direction);
    try {
      const code = await findNeighbour(direction);
      if (code) onMove(code);
      else notify.info(direction === 'after' ? '已是最后一例' : '已是第一例');
    } catch (error) {
      notifyError(error);
    } finally {
      setLoading(undefined);
    }
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        data-neighbour="previous"
        disabled={!previous && !hasBefore}
        loading={loading === 'before'}
        leftSection={<IconChevronLeft size={14} aria-hidden />}
        onClick={() => void move('before')}
      >
        上一例
      </Button>
      <Button
        variant="default"
        size="xs"
        data-neighbour="next"
        disabled={!next && !hasMore}
        loading={loading === 'after'}
        rightSection={<IconChevronRight size={14} aria-hidden />}
        onClick={() => void move('after')}
      >
        下一例
      </Button>
    </>
  );
}
