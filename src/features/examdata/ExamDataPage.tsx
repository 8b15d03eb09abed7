import { PersonTabs } from '#blocks/person/PersonTabs.tsx';
import { ExamDataTab } from '#blocks/examdata/ExamDataTab.tsx';

/** 个体管理, the tab 测评数据. */
export default function ExamDataPage() {
  return (
    <>
      <PersonTabs tab="data" />
      <ExamDataTab />
    </>
  );
}
