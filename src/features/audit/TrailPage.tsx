import { Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { pagerSize } from '#contract/page.ts';
import { DateRange } from '#ui/dates/DateRange.tsx';
import { Pager } from '#ui/list/Pager.tsx';
import { useParams } from '#ui/router/router.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getPersonTrail } from '#features/audit/audit.contract.ts';
import { KindBadge, Who } from '#features/audit/AuditParts.tsx';

/** 谁看过: the users who looked at one person or changed the person's data. */
export default function TrailPage() {
  const { cuserid = '' } = useParams();
  return <Trail key={cuserid} cuserid={cuserid} />;
}

function Trail({ cuserid }: { cuserid: string }) {
  const [{ page, pageSize }, setPosition] = useState({ page: 1, pageSize: pagerSize });
  const [[begin, end], setDays] = useState<[string | null, string | null]>([null, null]);
  const period = { ...(begin ? { begindate: begin } : {}), ...(end ? { enddate: end } : {}) };
  const read = useActionQuery(getPersonTrail, { cuserid, page, pageSize, ...period }, { keepPrevious: true });
  const list = {
    page,
    pageSize,
    total: read.data?.total ?? 0,
    readAt: read.dataUpdatedAt,
    setPage: (newPage: number, size = pageSize) => setPosition({ page: newPage, pageSize: size }),
  };
  return (
    <PageStack>
      <Loaded read={read} skeleton={<Skeletons.Page />}>
        {(trail) => (
          <>
            <Section
              title={`谁看过 ${trail.username}`}
              right={
                <DateRange
                  label="日期"
                  value={[begin, end]}
                  onChange={(days) => {
                    setDays(days);
                    list.setPage(1);
                  }}
                />
              }
            >
              <Text size="sm" c="dimmed" mb="sm">
                受测者编号 {cuserid}。查看、修改和导出都有记录；本次查询也已记录。
              </Text>
              {trail.viewers.length === 0 ? (
                <EmptyState title="该时间内没有人查看" />
              ) : (
                <Table.ScrollContainer minWidth={560}>
                  <Table>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>人员</Table.Th>
                        <Table.Th ta="right">查看</Table.Th>
                        <Table.Th ta="right">修改</Table.Th>
                        <Table.Th ta="right">导出</Table.Th>
                        <Table.Th>首次</Table.Th>
                        <Table.Th>最近</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {trail.viewers.map((viewer) => (
                        <Table.Tr key={viewer.accountid}>
                          <Table.Td>{viewer.who}</Table.Td>
                          <Table.Td ta="right">{viewer.looked}</Table.Td>
                          <Table.Td ta="right">{viewer.changed}</Table.Td>
                          <Table.Td ta="right">{viewer.exported}</Table.Td>
                          <Table.Td>{viewer.firsttime}</Table.Td>
                          <Table.Td>{viewer.lasttime}</Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </Table.ScrollContainer>
              )}
            </Section>
            {trail.total > 0 && (
              <Section title={`全部记录（${trail.total}）`}>
                <Stack gap="sm">
                  <Table.ScrollContainer minWidth={560}>
                    <Table>
                      <Table.Thead>
                        <Table.Tr>
                          <Table.Th>时间</Table.Th>
                          <Table.Th>操作人</Table.Th>
                          <Table.Th>类型</Table.Th>
                          <Table.Th>操作</Table.Th>
                          <Table.Th>IP</Table.Th>
                        </Table.Tr>
                      </Table.Thead>
                      <Table.Tbody>
                        {trail.rows.map((row) => (
                          <Table.Tr key={row.id}>
                            <Table.Td>{row.time}</Table.Td>
                            <Table.Td>
                              <Who row={row} />
                            </Table.Td>
                            <Table.Td>
                              <KindBadge kind={row.kind} />
                            </Table.Td>
                            <Table.Td>{row.title}</Table.Td>
                            <Table.Td>{row.ip || '—'}</Table.Td>
                          </Table.Tr>
                        ))}
                      </Table.Tbody>
                    </Table>
                  </Table.ScrollContainer>
                  <Pager list={list} />
                </Stack>
              </Section>
            )}
          </>
        )}
      </Loaded>
    </PageStack>
  );
}
