/** The screen for labels on a page of its own. */
import { render } from 'preact';
import LabelsPage from '../../../console/print/labels-page.tsx';
import { showLanguage } from '../../../console/texts/index.ts';

await showLanguage('en');
render(<LabelsPage />, document.getElementById('app')!);
