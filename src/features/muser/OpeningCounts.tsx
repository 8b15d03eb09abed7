import { Alert } from '@mantine/core';
import { Facts } from '#ui/Section.tsx';
import type { MUserRow } from '#features/muser/muser.contract.ts';

/** What an institution may spend. */
export function OpeningCounts({ row }: { row: MUserRow }) {
  return (
    <>
      <Facts
        facts={[
          ['已发放', `${row.granted} 次`],
          ['已使用', `${row.used} 次`],
          ['剩余', `${row.free} 次`],
        ]}
      />
      {row.granted === 0 && (
        <Alert color="yellow" mt="md">
          还没有发放次数，机构不能创建任务。可在“方案授权统计”中发放，开通可以先继续。
        </Alert>
      )}
    </>
  );
}
