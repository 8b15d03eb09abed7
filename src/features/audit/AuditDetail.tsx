import { Code, Drawer, Stack, Text } from '@mantine/core';
import { Facts, Section } from '#ui/display/Section.tsx';
import type { AuditRow } from '#features/audit/audit.contract.ts';
import { AuditObject, KindBadge, Persons, Who } from '#features/audit/AuditParts.tsx';

/** One row of the audit log in full. */
export function AuditDetail({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} title={row.title} size="min(560px, 100vw)">
      <Stack gap="md">
        <Facts
          facts={[
            ['时间', row.time],
            ['操作人', <Who key="who" row={row} />],
            ['账号编号', row.accountid],
            ['机构', row.insname],
            ['类型', <KindBadge key="kind" kind={row.kind} />],
            ['IP', row.ip],
            ['对象', <AuditObject key="object" row={row} />],
            ['涉及人员', <Persons key="persons" row={row} />],
            ['涉及未成年人', row.minors ? '是' : '否'],
          ]}
        />
        <Section title="内容">
          {row.detail.length === 0 ? (
            <Text size="sm" c="dimmed">
              没有更多内容
            </Text>
          ) : (
            <Facts
              facts={row.detail.map(
                (item) =>
                  [
                    item.key,
                    <span key={item.key} style={{ overflowWrap: 'anywhere' }}>
                      {item.value}
                    </span>,
                  ] as const,
              )}
            />
          )}
        </Section>
        <Text size="xs" c="dimmed">
          操作代码 <Code>{row.action}</Code> · 记录编号 {row.id}。日志只增不改，定时封存成链；不含密码和作答内容。
        </Text>
      </Stack>
    </Drawer>
  );
}
