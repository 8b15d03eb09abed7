import { createRoot } from 'react-dom/client';
import { ScreenPage } from '#console/screen/ScreenPage.tsx';
import './screen.css';

/** 数据大屏: a page of its own without the console around it, for a display that nobody touches. */
createRoot(document.getElementById('root') as HTMLElement).render(<ScreenPage />);
