import TenureCore
import TenureHTTP

extension AdminDialect.Call {
    /// The idempotency key that the client sent, if it sent one.
    func repeatable() throws(ServerError) -> RepeatableRequest? {
        request.headers["Idempotency-Key"].flatMap { key in
            RepeatableRequest(
                tenant: tenant, idempotencyKey: key, method: request.method, path: request.path, body: request.body)
        }
    }

    func slug<Named>(_ name: String) throws(AdminFailure) -> Slug<Named>? {
        guard let text = query[name] else { return nil }
        guard let slug = Slug<Named>(text) else { throw .unprocessable(name, "must be 1 to 64 of a-z, 0-9, _ and -") }
        return slug
    }

    func limit() throws(AdminFailure) -> Int {
        guard let text = query["limit"] else { return 100 }
        guard let limit = Int(text), (1...1000).contains(limit) else {
            throw .unprocessable("limit", "must be from 1 to 1000")
        }
        return limit
    }

    func cursor<Cursor>(_ read: (String) -> Cursor?) throws(AdminFailure) -> Cursor? {
        guard let text = query["after"] else { return nil }
        guard let cursor = read(text) else {
            throw .unprocessable("after", "must be what `next` said on the page before")
        }
        return cursor
    }
}
