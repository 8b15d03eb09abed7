import { Anchor, Image, Modal, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { can } from '#ui/api/session.ts';
import { call } from '#ui/api/call.ts';
import { Section } from '#ui/display/Section.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { getSignaturePicture } from '#features/archive/archive.contract.ts';
import { CONSENT_SCOPES } from '#domain/exam/consent.ts';
import type { PersonFile } from '#features/archive/page/personFile.ts';

const METHODS: Readonly<Record<string, string>> = { '01': '电子签名', '02': '勾选', '03': '纸质扫描' };
type Signature = NonNullable<ResponseOf<typeof getSignaturePicture>>;

/** 知情同意: each decision of the person or the guardian, and the picture of the signature. */
export function Consents({ file: { cuser, consents } }: { file: PersonFile }) {
  const [signature, setSignature] = useState<Signature>();
  const show = () => {
    call(getSignaturePicture, { cuserid: cuser.cuserid }).then(
      (found) => (found ? setSignature(found) : notify.done('现在没有有效的签名')),
      notifyError,
    );
  };
  return (
    <Section title="知情同意">
      {consents.length === 0 ? (
        <Text size="sm" c="dimmed">
          还没有签署
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={520}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {['时间', '内容', '签署人', '方式', '结果', '签名'].map((head) => (
                  <Table.Th key={head}>{head}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {consents.map((consent) => (
                <Table.Tr key={consent.consentid}>
                  <Table.Td>{consent.agreetime.slice(0, 16)}</Table.Td>
                  <Table.Td>{CONSENT_SCOPES[consent.scope] ?? consent.scope}</Table.Td>
                  <Table.Td>{consent.subject === '02' ? '监护人' : '本人'}</Table.Td>
                  <Table.Td>{METHODS[consent.method] ?? '—'}</Table.Td>
                  <Table.Td>
                    {consent.withdrawtime
                      ? `${consent.withdrawtime.slice(0, 10)} 撤回`
                      : consent.agreed === 1
                        ? '同意'
                        : '不同意'}
                  </Table.Td>
                  <Table.Td>
                    {consent.hassignature === 1 && !consent.withdrawtime && can(getSignaturePicture) ? (
                      <Anchor component="button" type="button" fz="sm" onClick={show}>
                        查看签名
                      </Anchor>
                    ) : (
                      '—'
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {signature && (
        <Modal opened onClose={() => setSignature(undefined)} title="签名">
          <Image src={signature.url} alt={`${cuser.username}的签名`} />
          <Text size="sm" c="dimmed" mt="sm">
            {signature.agreetime} · {signature.subject === '02' ? '监护人' : '本人'}签署 · 知情同意书 {signature.consentversion}
          </Text>
        </Modal>
      )}
    </Section>
  );
}
