import TenureFormats
package import TenureServerKit

extension ResponseFormat {
    /// The response format for MarketplaceKit devices.
    ///
    /// Devices read only the status; the body is for people. A request body is read as JSON, whatever its media type.
    package static let apple: ResponseFormat = {
        let words = ProblemWords(
            status: { _ in 409 },
            title: { status in
                switch status {
                case 401: "Unauthorized"
                case 403: "Forbidden"
                case 404: "Not found"
                case 500: "Server error"
                case 503: "Server busy"
                default: "Invalid request"
                }
            }, fieldStatus: 400
        ) { unreadable in
            switch unreadable {
            case .json(let error): (nil, "Invalid JSON", error.message)
            case .query: ("field_invalid", nil, "?: can't be parsed; send name=value&name=value")
            case .field(let fault):
                if case .missing(let must) = fault.flaw {
                    ("field_invalid", nil, "\(fault.pointer): must be \(must)")
                } else {
                    (nil, nil, "\(fault.pointer): \(fault.words)")
                }
            case .mediaType, .tooLong, .form: (nil, nil, unreadable.words)
            }
        }
        var format = ResponseFormat.problems(by: words)
        format.mediaTypes = .jsonByAnyName
        format.readsEmptyAsAbsent = false
        return format
    }()
}
