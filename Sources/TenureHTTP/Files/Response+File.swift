extension Response {
    /// Answers a `GET` or `HEAD` with a file: whole, in part, or not again, as the request's fields ask (RFC 9110, 13.2.2).
    ///
    /// `If-Match` that names another file is 412, `If-None-Match` that names this one 304; then `Range` counts for a `GET`,
    /// unless `If-Range` names another file or a date.
    /// - Parameters:
    ///   - tag: The file's strong entity tag, with its quotes.
    ///   - headers: What every answer about the file says, its type and how long it may be kept.
    public static func file(_ file: OpenFile, tag: String, for request: Request, headers: Headers) -> Response {
        var headers = headers
        headers.set("ETag", tag)
        headers.set("Accept-Ranges", "bytes")
        if let tags = EntityTags(request.list("If-Match")), !tags.matchStrongly(tag) {
            return Response(status: 412, headers: headers)
        }
        if let tags = EntityTags(request.list("If-None-Match")), tags.matchWeakly(tag) {
            // As for a HEAD, the server leaves the body out and keeps its length.
            return Response(status: 304, headers: headers, file: FilePart(file))
        }
        switch request.range(of: file, tag: tag) {
        case .whole: return Response(status: 200, headers: headers, file: FilePart(file))
        case .part(let range):
            headers.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)")
            return Response(status: 206, headers: headers, file: FilePart(file, range))
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

    /// The values of all fields of that name as one; nil when there is none.
    fileprivate func list(_ name: String) -> String? {
        let values = headers.values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
