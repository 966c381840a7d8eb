/** Spanish texts for scanner, camera and sound. */
export const scan = {
  target: 'Escanear un código',
  type: 'Escribir un código',
  cameraOn: 'Escanear con la cámara',
  cameraOff: 'Apagar la cámara',
  cameraNotLoaded: 'La cámara necesita la red una vez. Inténtelo de nuevo cuando tenga conexión.',
  muted: 'El sonido empieza con el primer toque.',
};
