/// The description of the operator API, written for people and read by tools.
enum OpenAPI {
    /// The document as it is served: `openapi.json` beside this file.
    static let document = PackageResources.openapi_json
}
