/** Spanish texts for scanner, camera and sound. */
export const scan = {
  target: 'Escanear un código',
  type: 'Escribir un código',
  cameraOn: 'Escanear con la cámara',
  cameraOff: 'Apagar la cámara',
  muted: 'El sonido empieza con el primer toque.',
};
