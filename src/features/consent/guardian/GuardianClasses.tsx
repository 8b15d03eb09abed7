import { Alert, Button, Checkbox, Group, Image, Popover, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import type { ResponseOf } from '#contract/action.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { can } from '#ui/api/session.ts';
import { Badge } from '#ui/display/badges.tsx';
import { Section } from '#ui/display/Section.tsx';
import { Link } from '#ui/router/router.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { Loaded } from '#ui/feedback/states.tsx';
import { LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { UploadField } from '#blocks/file/UploadField.tsx';
import {
  getGuardianClassList,
  getGuardianClassMembers,
  getGuardianConsentPageList,
  guardianMethods,
  refuseGuardianConsent,
  verifyGuardianConsent,
  type GuardianClass,
} from '#features/consent/guardian/guardian.contract.ts';

const affected = [getGuardianClassList, getGuardianClassMembers, getGuardianConsentPageList];
const methodOptions = (['02', '03'] as const).map((value) => ({ value, label: guardianMethods[value] }));
const ORDER = ['pending', 'refused', 'signed'] as const;
const STATES = { pending: ['未表态', 'amber'], signed: ['已同意', 'green'], refused: ['不同意 · 免测', 'gray'] } as const;

/** 按班级: the decisions of guardians before the day, with the link for parents and the paper consents of a class. */
export function GuardianClasses() {
  const query = useActionQuery(getGuardianClassList, {}, { quiet: true });
  const [open, setOpen] = useState<GuardianClass>();
  return (
    <Loaded read={query}>
      {({ classes, clientcode, link }) =>
        classes.length === 0 ? null : (
          <Section title="各班进度">
            <Text size="sm" c="dimmed" mb="xs">
              测评前把家长链接或二维码发到班级群，家长用学校登记的电话表态；也可以登记已收的纸质同意书。家长不同意的学生为免测，家长可以改变决定。
            </Text>
            <ScrollArea.Autosize mah={320} type="auto">
              <Table stickyHeader aria-label="各班监护人同意进度">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>班级</Table.Th>
                    <Table.Th ta="right">需同意</Table.Th>
                    <Table.Th ta="right">已同意</Table.Th>
                    <Table.Th ta="right">不同意</Table.Th>
                    <Table.Th ta="right">未表态</Table.Th>
                    <Table.Th>
                      <span style={{ whiteSpace: 'nowrap' }}>操作</span>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {classes.map((row) => (
                    <Table.Tr key={row.teamcode}>
                      <Table.Td>{row.teamname}</Table.Td>
                      <Table.Td ta="right">{row.needed}</Table.Td>
                      <Table.Td ta="right">{row.signed}</Table.Td>
                      <Table.Td ta="right">{row.refused}</Table.Td>
                      <Table.Td ta="right">{row.pending}</Table.Td>
                      <Table.Td>
                        <Group gap={4} wrap="nowrap">
                          <Button variant="subtle" size="compact-sm" onClick={() => setOpen(row)}>
                            名单
                          </Button>
                          {clientcode && <ParentLink clientcode={clientcode} link={`${link}${row.teamcode}`} row={row} />}
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollArea.Autosize>
            {open && <ClassDrawer schoolClass={open} onClose={() => setOpen(undefined)} />}
          </Section>
        )
      }
    </Loaded>
  );
}

/** The link and the QR code that parents of a class open. */
function ParentLink({ clientcode, link, row }: { clientcode: string; link: string; row: GuardianClass }) {
  const picture = `/qr/${clientcode}.png?size=400&parent=${row.teamcode}`;
  return (
    <Popover position="bottom-end" withinPortal>
      <Popover.Target>
        <Button variant="subtle" size="compact-sm">
          家长链接
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" w={220}>
          <Image src={picture} w={200} h={200} alt={`${row.teamname}家长二维码`} />
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {link}
          </Text>
          <Group gap="xs">
            <CopyTextButton text={link} size="compact-sm">
              复制链接
            </CopyTextButton>
            <Button size="compact-sm" variant="default" component="a" href={picture} download={`${row.teamname}家长二维码.png`}>
              下载二维码
            </Button>
            <Button size="compact-sm" variant="default" component={Link} to={`/task/guardianConsent/print/${row.teamcode}`}>
              打印每人一张
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The pupils of a class whose guardian must agree. Staff record signed papers for many of them at once. */
function ClassDrawer({ schoolClass, onClose }: { schoolClass: GuardianClass; onClose: () => void }) {
  const members = useActionQuery(getGuardianClassMembers, { teamcode: schoolClass.teamcode });
  const form = useActionForm(verifyGuardianConsent, {
    initial: { cuserids: [], method: '02', fileids: [] },
    invalidates: affected,
    onDone: ({ verified }: { verified: number }) => {
      notify.done(`已登记 ${verified} 人`);
      onClose();
    },
  });
  const refuse = useActionMutation(refuseGuardianConsent, { successMessage: '已登记不同意，该生免测', invalidates: affected });
  const chosen = new Set(form.values.cuserids ?? []);
  const choose = (cuserids: Iterable<string>) => form.set('cuserids', [...cuserids]);
  const canEdit = can(verifyGuardianConsent);
  const recordRefusal = async ({ cuserid, label }: Member) => {
    if (await confirm({ text: `登记“${label}”的监护人不同意？该生免测；如已作答，将停止使用其资料。`, danger: true }))
      refuse.mutate({ cuserid, remark: '班级名单中登记' });
  };
  return (
    <FormDrawer title={`监护人同意：${schoolClass.teamname}`} onClose={onClose} form={form} save={`登记 ${chosen.size} 人同意`}>
      <Loaded read={members}>
        {(rows) => {
          const open = rows.filter(({ state }) => state !== 'signed');
          // Pupils without a decision come first.
          const ordered = ORDER.flatMap((state) => rows.filter((row) => row.state === state));
          return (
            <Stack gap="xs">
              {canEdit && open.length > 0 && (
                <Checkbox
                  label={`全选未同意的 ${open.length} 人`}
                  checked={chosen.size === open.length}
                  indeterminate={chosen.size > 0 && chosen.size < open.length}
                  onChange={(event) => choose(event.currentTarget.checked ? open.map(({ cuserid }) => cuserid) : [])}
                />
              )}
              {ordered.map((member) => (
                <Group key={member.cuserid} justify="space-between" gap="xs">
                  <Checkbox
                    label={member.label}
                    disabled={!canEdit || member.state === 'signed'}
                    checked={chosen.has(member.cuserid)}
                    onChange={(event) =>
                      choose(
                        event.currentTarget.checked
                          ? [...chosen, member.cuserid]
                          : [...chosen].filter((cuserid) => cuserid !== member.cuserid),
                      )
                    }
                  />
                  <Group gap={6}>
                    <Badge tone={STATES[member.state][1]}>{STATES[member.state][0]}</Badge>
                    {member.state === 'signed' && (
                      <Text size="xs" c="dimmed">
                        {guardianMethods[member.method as '02']} {member.verifiedtime.slice(5, 10)}
                      </Text>
                    )}
                    {canEdit && member.state === 'pending' && (
                      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void recordRefusal(member)}>
                        不同意
                      </Button>
                    )}
                  </Group>
                </Group>
              ))}
            </Stack>
          );
        }}
      </Loaded>
      {canEdit && (
        <>
          {members.data?.some(({ hasphone, state }) => !hasphone && state === 'pending') && (
            <Alert color="orange">有学生在名册中没有监护人电话，家长链接用不了：请先补登电话，或收纸质同意书。</Alert>
          )}
          <SelectField {...form.field('method')} options={methodOptions} clearable={false} />
          <LongTextField {...form.field('remark')} maxLength={200} />
          <UploadField {...form.field('fileids')} use="consent" most={5} onPick={(fileids) => form.set('fileids', fileids)} />
        </>
      )}
    </FormDrawer>
  );
}
type Member = ResponseOf<typeof getGuardianClassMembers>[number];
