-- Sends prepared requests, each once. Each line of the file is a body. The second argument times the third (2,500 by
-- default) is the number of lines to skip.
local lines, place = {}, 0

function init(arguments)
    for line in io.lines(arguments[1]) do lines[#lines + 1] = line end
    place = tonumber(arguments[2]) * tonumber(arguments[3] or 2500)
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    place = place + 1
    return wrk.format(nil, nil, nil, lines[(place - 1) % #lines + 1])
end
