//! A new collection of a build: created, filled, and put in the place of the one before it.

use super::ledger::Ledger;
use super::server::{self, QdrantServer};
use super::{QdrantFailure, QdrantOptions};
use qdrant_client::qdrant::{
    CreateAliasBuilder, CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, PointStruct,
    UpsertPointsBuilder,
};
use std::path::Path;
use uuid::Uuid;

/// A collection that has been written but is not in use yet.
pub struct NewCollection {
    server: QdrantServer,
    options: QdrantOptions,
    alias: String,
    name: String,
    ledger: Ledger,
    /// Whether other jobs write to it, too.
    is_shared: bool,
}

impl NewCollection {
    /// Chooses a name, and puts it on the list of collections in the index folder.
    pub(crate) async fn start(
        server: QdrantServer,
        options: &QdrantOptions,
        alias: String,
        folder: &Path,
    ) -> Result<Self, QdrantFailure> {
        let name = format!("{alias}-{}", Uuid::new_v4().simple());
        let ledger = Ledger::of(folder);
        let new = Self { server, options: options.clone(), alias, name, ledger, is_shared: false };
        new.live().await?;
        new.ledger.add(&new.name).map_err(|error| new.server.error(&error.to_string()))?;
        Ok(new)
    }

    /// The collection of a build that several jobs share. It stays when one of them fails; a later build deletes it if it was
    /// never published.
    pub(crate) fn shared(
        server: QdrantServer,
        options: &QdrantOptions,
        alias: String,
        folder: &Path,
        build: Uuid,
    ) -> Result<Self, QdrantFailure> {
        let name = format!("{alias}-{}", build.simple());
        let ledger = Ledger::of(folder);
        if ledger.others(&[]).iter().all(|known| *known != name) {
            ledger.add(&name).map_err(|error| server.error(&error.to_string()))?;
        }
        Ok(Self { server, options: options.clone(), alias, name, ledger, is_shared: true })
    }

    /// Whether the server has it.
    pub(crate) async fn is_there(&self) -> Result<bool, QdrantFailure> {
        match self.server.client.collection_info(&self.name).await {
            Ok(_) => Ok(true),
            Err(error) if server::is_missing(&error) => Ok(false),
            Err(error) => Err(self.server.failed(&error)),
        }
    }

    /// Its name, for the manifest.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The collection that the alias points to.
    async fn live(&self) -> Result<Option<String>, QdrantFailure> {
        let known = self.server.client.list_aliases().await.map_err(|error| self.server.failed(&error))?;
        let found = known.aliases.into_iter().find(|alias| alias.alias_name == self.alias);
        Ok(found.map(|alias| alias.collection_name))
    }

    /// Creates it on the server, with the configured shards and copies.
    pub(crate) async fn create(&self, content: CreateCollectionBuilder) -> Result<(), QdrantFailure> {
        let mut request = content;
        if let Some(shards) = self.options.shard_number {
            request = request.shard_number(shards);
        }
        if let Some(copies) = self.options.replication_factor {
            request = request.replication_factor(copies);
        }
        self.server.client.create_collection(request).await.map_err(|error| self.server.failed(&error))?;
        Ok(())
    }

    /// Indexes a field of the payload, so that searches can be limited by it.
    pub(crate) async fn index_field(
        &self,
        field: CreateFieldIndexCollectionBuilder,
    ) -> Result<(), QdrantFailure> {
        let indexed = self.server.client.create_field_index(field.wait(true)).await;
        indexed.map(drop).map_err(|error| self.server.failed(&error))
    }

    /// Adds points, and waits until they are stored.
    pub(crate) async fn add(&self, points: Vec<PointStruct>) -> Result<(), QdrantFailure> {
        let request = UpsertPointsBuilder::new(&self.name, points).wait(true);
        let added = self.server.client.upsert_points(request).await;
        added.map(drop).map_err(|error| self.server.failed(&error))
    }

    /// [`Self::publish_all`] of this one alone.
    #[cfg(test)]
    pub async fn publish(self) {
        Self::publish_all(&[&self]).await;
    }

    /// Points the aliases to the new collections of a build and deletes those of earlier builds, once the folder that names
    /// the new ones is published. A failure wastes space on the server, and other programs see the previous index; it is
    /// logged.
    pub async fn publish_all(new: &[&Self]) {
        let mut former = Vec::new();
        for collection in new {
            let Ok(before) = collection.switch().await else { return };
            former.extend(before);
        }
        let Some(first) = new.first() else { return };
        let names: Vec<&str> = new.iter().map(|new| new.name()).collect();
        let others = first.ledger.others(&names);
        former.retain(|before| !names.contains(&before.as_str()) && !others.contains(before));
        for former in former.into_iter().chain(others) {
            first.delete_former(&former).await;
        }
        first.ledger.keep_only(&names);
    }

    /// Points the alias to this collection; returns the one before it.
    async fn switch(&self) -> Result<Option<String>, QdrantFailure> {
        let before = self.live().await.ok().flatten();
        // A single action: the server replaces an alias in one step, but would not undo a deletion of the alias
        // if the creation after it failed.
        let switch = CreateAliasBuilder::new(&self.name, &self.alias);
        if let Err(error) = self.server.client.create_alias(switch).await {
            let error = self.server.failed(&error);
            // The switch may have succeeded, and only its confirmation been lost.
            if self.live().await.ok().flatten().as_deref() != Some(&self.name) {
                tracing::warn!(alias = self.alias, %error, "the alias could not be switched");
                return Err(error);
            }
        }
        Ok(before)
    }

    /// Deletes the new collection again, unless other jobs write to it.
    pub async fn discard(&self) {
        if !self.is_shared {
            self.delete(&self.name).await;
        }
    }

    /// Deletes new collections of a build again.
    pub async fn discard_all(new: &[&Self]) {
        for collection in new {
            collection.discard().await;
        }
    }

    /// Deletes the collection that was in use before, unless it was not created by Eruca.
    async fn delete_former(&self, name: &str) {
        let suffix = self.options.aliases().into_iter().find_map(|alias| {
            let suffix = name.strip_prefix(&alias)?.strip_prefix('-')?;
            Uuid::try_parse(suffix).ok()
        });
        if suffix.is_some() {
            self.delete(name).await;
        } else {
            tracing::warn!(
                collection = name,
                "the alias pointed to a collection of another origin, which is kept"
            );
        }
    }

    /// Deletes a collection that is not in use. A failure only wastes space on the server, so it is logged.
    async fn delete(&self, name: &str) {
        if let Err(error) = self.server.client.delete_collection(name).await
            && !server::is_missing(&error)
        {
            let error = self.server.failed(&error);
            tracing::warn!(collection = name, %error, "an unused collection could not be deleted");
        }
    }
}
