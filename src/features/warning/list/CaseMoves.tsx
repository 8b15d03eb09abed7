import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { findNextPage, findPosition } from '#features/warning/list/caseSequence.ts';

/** Leads to the case above and below in the list that the reader came from. */
export function CaseMoves({ warningcode, onMove }: { warningcode: string; onMove: (warningcode: string) => void }) {
  const [isLoading, setIsLoading] = useState(false);
  const position = findPosition(warningcode);
  if (!position) return null;
  const { previous, next, hasMore } = position;
  const moveOn = async () => {
    if (next) return onMove(next);
    setIsLoading(true);
    try {
      const code = await findNextPage();
      if (code) onMove(code);
      else notify.info('已是最后一例');
    } catch (error) {
      notifyError(error);
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        disabled={!previous}
        leftSection={<IconChevronLeft size={14} aria-hidden />}
        onClick={() => previous && onMove(previous)}
      >
        上一例
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!next && !hasMore}
        loading={isLoading}
        rightSection={<IconChevronRight size={14} aria-hidden />}
        onClick={() => void moveOn()}
      >
        下一例
      </Button>
    </>
  );
}
