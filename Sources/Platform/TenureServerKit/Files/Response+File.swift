package import TenureHTTP

extension Response {
    /// Responds to a `GET` or `HEAD` with a file, evaluating conditional and range fields (RFC 9110, 13.2.2).
    ///
    /// If `If-Match` doesn't match, the status is 412. If `If-None-Match` matches, the status is 304. Otherwise, a
    /// `GET` honors `Range`, unless `If-Range` has another tag, several tags or a date.
    /// - Parameters:
    ///   - tag: The file's strong entity tag, with its quotes.
    ///   - headers: The fields of every response for the file, such as its type and caching rules.
    package static func file(_ file: OpenFile, tag: String, for request: Request, headers: Headers) -> Response {
        var headers = headers
        headers.set("ETag", tag)
        headers.set("Accept-Ranges", "bytes")
        if let tags = EntityTags(request.list("If-Match")), !tags.matchStrongly(tag) {
            return Response(status: 412, headers: headers)
        }
        if let tags = EntityTags(request.list("If-None-Match")), tags.matchWeakly(tag) {
            // As for a `HEAD` request, the server omits the body but keeps its length.
            return Response(status: 304, headers: headers, file: file.part())
        }
        switch request.range(of: file, tag: tag) {
        case .whole: return Response(status: 200, headers: headers, file: file.part())
        case .part(let range):
            headers.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)")
            return Response(status: 206, headers: headers, file: file.part(range))
        case .unsatisfiable:
            return Response(
                status: 416, headers: ["Content-Range": "bytes */\(file.size)", "Accept-Ranges": "bytes"])
        }
    }
}

extension Request {
    fileprivate func range(of file: OpenFile, tag: String) -> RangeChoice {
        guard method == "GET" else { return .whole }
        if let condition = headers["If-Range"] {
            guard case .named(let tags)? = EntityTags(condition), tags.count == 1,
                EntityTags.named(tags).matchStrongly(tag)
            else { return .whole }
        }
        return RangeChoice(list("Range"), size: file.size)
    }

    /// The values of all fields with a name, joined with commas; `nil` if there aren't any.
    fileprivate func list(_ name: String) -> String? {
        let values = headers.values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
