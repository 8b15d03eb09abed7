import { formatNumber } from '#domain/base/number.ts';
import { NativeSelect, Pagination, TextInput } from '@mantine/core';
import { useState } from 'react';
import { pageSizes } from '#contract/page.ts';
import { scrollToTop } from '#ui/display/scrollToTop.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { pageLabels } from '#ui/display/pageLabels.ts';
import classes from './ListPage.module.css';

interface Props {
  list: { page: number; pageSize: number; total: number; readAt: number; setPage: (page: number, size?: number) => void };
}

/** total, sizes, prev, pager, next, jumper (specification section 9). The sizes always include the current one. */
export function Pager({ list: { page, pageSize, total, readAt, setPage: set } }: Props) {
  const setPage = (to: number, size?: number) => {
    set(to, size);
    scrollToTop();
  };
  const [jump, setJump] = useState('');
  const last = Math.max(1, Math.ceil(total / pageSize));
  const sizes = [...new Set<number>([pageSize, ...pageSizes])].sort((a, b) => a - b);
  return (
    <nav className={classes['pager']} aria-label="分页">
      {readAt > 0 && (
        <span className={classes['stamp']}>
          更新于 <RelativeTime at={readAt} />
        </span>
      )}
      <span>共 {total > 0 || readAt > 0 ? formatNumber(total) : '—'} 条</span>
      <NativeSelect
        className={classes['size'] ?? ''}
        size="xs"
        aria-label="每页条数"
        value={String(pageSize)}
        onChange={(event) => setPage(1, Number(event.currentTarget.value))}
        data={sizes.map((size) => ({ value: String(size), label: `${size} 条/页` }))}
      />
      <Pagination
        size="sm"
        total={last}
        value={Math.min(page, last)}
        onChange={(to) => setPage(to)}
        siblings={1}
        {...pageLabels}
      />
      <form
        className={classes['jump']}
        onSubmit={(event) => {
          event.preventDefault();
          const to = Number.parseInt(jump, 10);
          setJump('');
          if (to >= 1) setPage(Math.min(to, last));
        }}
      >
        前往{' '}
        <TextInput
          size="xs"
          inputMode="numeric"
          aria-label="前往第几页"
          value={jump}
          onChange={(event) => setJump(event.currentTarget.value.replace(/\D/g, ''))}
        />{' '}
        页
      </form>
    </nav>
  );
}
