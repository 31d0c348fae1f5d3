// Leaflet's own modules: of them the map takes those that it needs. Their types are those of the whole.
declare module "leaflet/src/control/Control.Attribution.js" {
  import { Control } from "leaflet";
  export const Attribution: typeof Control.Attribution;
}
declare module "leaflet/src/control/Control.Zoom.js" {
  import { Control } from "leaflet";
  export const Zoom: typeof Control.Zoom;
}
declare module "leaflet/src/geo/LatLngBounds.js" {
  export { LatLngBounds } from "leaflet";
}
declare module "leaflet/src/layer/tile/TileLayer.js" {
  export { TileLayer } from "leaflet";
}
declare module "leaflet/src/layer/vector/CircleMarker.js" {
  export { CircleMarker } from "leaflet";
}
declare module "leaflet/src/layer/vector/Polygon.js" {
  export { Polygon } from "leaflet";
}
declare module "leaflet/src/map/Map.js" {
  export { Map } from "leaflet";
}
declare module "leaflet/src/*";
