//! The gRPC services of the stand-in: requests in, responses from the state out.

use super::collection::Collection;
use super::{AliasFault, SharedState, State};
use ::qdrant_client::qdrant::alias_operations::Action;
use ::qdrant_client::qdrant::collections_server::Collections;
use ::qdrant_client::qdrant::points_server::Points;
use ::qdrant_client::qdrant::*;
use async_trait::async_trait;
use std::pin::Pin;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// Calls that the index does not make. Written as `async_trait` would expand them, because it does not process
/// macros.
macro_rules! refused {
    ($($name:ident($request:ty) -> $response:ty;)*) => {$(
        fn $name<'life0, 'async_trait>(
            &'life0 self,
            _request: Request<$request>,
        ) -> Pin<Box<dyn Future<Output = Answer<$response>> + Send + 'async_trait>>
        where
            'life0: 'async_trait,
            Self: 'async_trait,
        {
            Box::pin(async { Err(Status::unimplemented(concat!("stand-in: ", stringify!($name)))) })
        }
    )*};
}

#[async_trait]
impl Collections for SharedState {
    async fn get(&self, request: Request<GetCollectionInfoRequest>) -> Answer<GetCollectionInfoResponse> {
        let mut state = self.enter(request.metadata())?;
        let info = state.collection(&request.get_ref().collection_name)?.info();
        Ok(Response::new(GetCollectionInfoResponse { result: Some(info), time: 0.0 }))
    }

    async fn list(&self, request: Request<ListCollectionsRequest>) -> Answer<ListCollectionsResponse> {
        let state = self.enter(request.metadata())?;
        let collections =
            state.collections.keys().map(|name| CollectionDescription { name: name.clone() }).collect();
        Ok(Response::new(ListCollectionsResponse { collections, time: 0.0 }))
    }

    async fn create(&self, request: Request<CreateCollection>) -> Answer<CollectionOperationResponse> {
        let mut state = self.enter(request.metadata())?;
        let request = request.into_inner();
        let name = request.collection_name.clone();
        if state.collections.contains_key(&name) || state.aliases.contains_key(&name) {
            return Err(taken(&name));
        }
        state.collections.insert(name, Collection::new(request));
        Ok(Response::new(CollectionOperationResponse { result: true, time: 0.0 }))
    }

    async fn delete(&self, request: Request<DeleteCollection>) -> Answer<CollectionOperationResponse> {
        let mut state = self.enter(request.metadata())?;
        let name = &request.get_ref().collection_name;
        state.aliases.retain(|_, target| target != name);
        let result = state.collections.remove(name).is_some();
        Ok(Response::new(CollectionOperationResponse { result, time: 0.0 }))
    }

    async fn update_aliases(&self, request: Request<ChangeAliases>) -> Answer<CollectionOperationResponse> {
        let mut state = self.enter(request.metadata())?;
        if state.alias_fault == Some(AliasFault::Refused) {
            return Err(Status::internal("Service internal error: the alias is not changed"));
        }
        for operation in request.into_inner().actions {
            change_alias(&mut state, operation)?;
        }
        if state.alias_fault == Some(AliasFault::ConfirmationLost) {
            return Err(Status::internal("Service internal error: the confirmation is lost"));
        }
        Ok(Response::new(CollectionOperationResponse { result: true, time: 0.0 }))
    }

    async fn list_aliases(&self, request: Request<ListAliasesRequest>) -> Answer<ListAliasesResponse> {
        let state = self.enter(request.metadata())?;
        let describe = |(alias, target): (&String, &String)| AliasDescription {
            alias_name: alias.clone(),
            collection_name: target.clone(),
        };
        Ok(Response::new(ListAliasesResponse {
            aliases: state.aliases.iter().map(describe).collect(),
            time: 0.0,
        }))
    }

    refused! {
        update(UpdateCollection) -> CollectionOperationResponse;
        list_collection_aliases(ListCollectionAliasesRequest) -> ListAliasesResponse;
        collection_cluster_info(CollectionClusterInfoRequest) -> CollectionClusterInfoResponse;
        collection_exists(CollectionExistsRequest) -> CollectionExistsResponse;
        update_collection_cluster_setup(UpdateCollectionClusterSetupRequest) -> UpdateCollectionClusterSetupResponse;
        create_shard_key(CreateShardKeyRequest) -> CreateShardKeyResponse;
        delete_shard_key(DeleteShardKeyRequest) -> DeleteShardKeyResponse;
        list_shard_keys(ListShardKeysRequest) -> ListShardKeysResponse;
    }
}

/// Like the server: an existing alias is overwritten, deleting one that does not exist is silently accepted.
fn change_alias(state: &mut State, operation: AliasOperations) -> Result<(), Status> {
    match operation.action {
        Some(Action::CreateAlias(create)) if state.collections.contains_key(&create.alias_name) => {
            Err(taken(&create.alias_name))
        }
        Some(Action::CreateAlias(create)) => {
            state.collection(&create.collection_name)?;
            state.aliases.insert(create.alias_name, create.collection_name);
            Ok(())
        }
        Some(Action::DeleteAlias(delete)) => {
            state.aliases.remove(&delete.alias_name);
            Ok(())
        }
        Some(Action::RenameAlias(_)) | None => Err(Status::unimplemented("stand-in: this alias action")),
    }
}

fn taken(name: &str) -> Status {
    Status::invalid_argument(format!("Wrong input: Collection `{name}` already exists!"))
}

#[async_trait]
impl Points for SharedState {
    async fn upsert(&self, request: Request<UpsertPoints>) -> Answer<PointsOperationResponse> {
        let mut state = self.enter(request.metadata())?;
        match &mut state.upserts_left {
            Some(0) => {
                return Err(Status::resource_exhausted("No space left on device: WAL buffer size exceeds"));
            }
            Some(left) => *left -= 1,
            None => {}
        }
        let request = request.into_inner();
        let collection = state.collection(&request.collection_name)?;
        for point in request.points {
            collection.upsert(point)?;
        }
        Ok(Response::new(completed()))
    }

    async fn create_field_index(
        &self,
        request: Request<CreateFieldIndexCollection>,
    ) -> Answer<PointsOperationResponse> {
        let mut state = self.enter(request.metadata())?;
        let request = request.into_inner();
        if ![FieldType::Keyword, FieldType::Integer].contains(&request.field_type()) {
            return Err(Status::unimplemented("stand-in: indexes other than of keywords and numbers"));
        }
        state.collection(&request.collection_name)?.indexed.push(request.field_name);
        Ok(Response::new(completed()))
    }

    async fn query(&self, request: Request<QueryPoints>) -> Answer<QueryResponse> {
        let result = {
            let mut state = self.enter(request.metadata())?;
            state.queries += 1;
            let request = request.into_inner();
            if state.silent {
                None
            } else {
                Some(state.collection(&request.collection_name)?.query(request)?)
            }
        };
        let Some(result) = result else { return std::future::pending().await };
        Ok(Response::new(QueryResponse { result, ..QueryResponse::default() }))
    }

    async fn query_batch(&self, request: Request<QueryBatchPoints>) -> Answer<QueryBatchResponse> {
        let mut result = Vec::new();
        let is_silent = {
            let mut state = self.enter(request.metadata())?;
            state.queries += 1;
            for query in request.into_inner().query_points {
                let found = state.collection(&query.collection_name)?.query(query)?;
                result.push(BatchResult { result: found });
            }
            state.silent
        };
        if is_silent {
            return std::future::pending().await;
        }
        Ok(Response::new(QueryBatchResponse { result, ..QueryBatchResponse::default() }))
    }

    async fn get(&self, request: Request<GetPoints>) -> Answer<GetResponse> {
        let mut state = self.enter(request.metadata())?;
        let request = request.into_inner();
        let result = state.collection(&request.collection_name)?.get(&request.ids);
        Ok(Response::new(GetResponse { result, ..GetResponse::default() }))
    }

    refused! {
        delete(DeletePoints) -> PointsOperationResponse;
        update_vectors(UpdatePointVectors) -> PointsOperationResponse;
        delete_vectors(DeletePointVectors) -> PointsOperationResponse;
        set_payload(SetPayloadPoints) -> PointsOperationResponse;
        overwrite_payload(SetPayloadPoints) -> PointsOperationResponse;
        delete_payload(DeletePayloadPoints) -> PointsOperationResponse;
        clear_payload(ClearPayloadPoints) -> PointsOperationResponse;
        delete_field_index(DeleteFieldIndexCollection) -> PointsOperationResponse;
        create_vector_name(CreateVectorNameRequest) -> PointsOperationResponse;
        delete_vector_name(DeleteVectorNameRequest) -> PointsOperationResponse;
        search(SearchPoints) -> SearchResponse;
        search_batch(SearchBatchPoints) -> SearchBatchResponse;
        search_groups(SearchPointGroups) -> SearchGroupsResponse;
        scroll(ScrollPoints) -> ScrollResponse;
        recommend(RecommendPoints) -> RecommendResponse;
        recommend_batch(RecommendBatchPoints) -> RecommendBatchResponse;
        recommend_groups(RecommendPointGroups) -> RecommendGroupsResponse;
        discover(DiscoverPoints) -> DiscoverResponse;
        discover_batch(DiscoverBatchPoints) -> DiscoverBatchResponse;
        count(CountPoints) -> CountResponse;
        update_batch(UpdateBatchPoints) -> UpdateBatchResponse;
        query_groups(QueryPointGroups) -> QueryGroupsResponse;
        facet(FacetCounts) -> FacetResponse;
        search_matrix_pairs(SearchMatrixPoints) -> SearchMatrixPairsResponse;
        search_matrix_offsets(SearchMatrixPoints) -> SearchMatrixOffsetsResponse;
    }
}

fn completed() -> PointsOperationResponse {
    let result = UpdateResult { operation_id: Some(0), status: UpdateStatus::Completed.into() };
    PointsOperationResponse { result: Some(result), ..PointsOperationResponse::default() }
}
