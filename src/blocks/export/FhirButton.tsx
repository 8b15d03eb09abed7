import { Button } from '@mantine/core';
import { useApprovedExport } from '#blocks/export/useApprovedExport.tsx';
import { exportBundle } from '#features/fhir/fhir.contract.ts';

/** The button that downloads the data of a person for another system, as FHIR R4. */
export function FhirButton({ cuserid }: { cuserid: string }) {
  const { isBusy, fetchFile, dialog } = useApprovedExport();
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => fetchFile(exportBundle, { cuserid }, 'FHIR 数据')}>
        导出 FHIR
      </Button>
      {dialog}
    </>
  );
}
