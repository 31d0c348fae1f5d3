//! Sends spans to an OpenTelemetry collector, by OTLP over gRPC, in batches.

use super::TelemetryError;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::LookupSpan;

/// Sends spans, and the remaining ones when dropped.
pub(super) struct Exporter(SdkTracerProvider);

impl Exporter {
    pub(super) fn connect(endpoint: &str) -> Result<Self, TelemetryError> {
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).build();
        let exporter = exporter.map_err(|error| TelemetryError::Export(error.to_string()))?;
        let resource = Resource::builder().with_service_name("eruca").build();
        Ok(Self(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build()))
    }

    pub(super) fn layer<S: Subscriber + for<'span> LookupSpan<'span>>(&self) -> impl Layer<S> {
        tracing_opentelemetry::layer().with_tracer(self.0.tracer("eruca"))
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}
