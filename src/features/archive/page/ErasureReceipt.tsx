import { Button, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Section } from '#ui/display/Section.tsx';
import { ReceiptLists } from '#blocks/person/AnonymizeNote.tsx';
import { getAnonymizationReceipt } from '#features/anonymize/anonymize.contract.ts';

/** 匿名化回执 on the page of a person without a name any more: to print and to hand to the person. */
export function ErasureReceipt({ cuserid }: { cuserid: string }) {
  const read = useActionQuery(getAnonymizationReceipt, can(getAnonymizationReceipt) ? { cuserid } : undefined, { quiet: true });
  if (!read.data) return null;
  const { anonymizationid, insname, asktime, donetime, receipt } = read.data;
  return (
    <Section
      title="匿名化回执"
      right={
        <Button variant="default" data-noprint leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          打印
        </Button>
      }
    >
      <Stack gap="sm">
        <Text size="sm">
          {insname}于 {asktime.slice(0, 16)} 收到申请（编号 {anonymizationid}），由两人复核，于 {donetime.slice(0, 16)} 办结。
        </Text>
        <ReceiptLists receipt={receipt} />
        <Text size="sm">备份中的资料在备份到期时删除。有异议的，可以向本机构或履行个人信息保护职责的部门提出。</Text>
      </Stack>
    </Section>
  );
}
